import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runAll, writeCanonicalJson } from "@gatehouse/base";
import type { ActionName } from "@gatehouse/contract";
import { actionLimits, type PlanQuestion } from "@gatehouse/contract/broker";
import { openLauncher, type SandboxLevel } from "@gatehouse/sandbox";
import type { HarnessRun } from "./harness-run.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { type MemoryBrokerOptions, openMemoryBroker } from "./memory-broker.ts";
import { speakWith } from "./speak-with.ts";

export interface HarnessOptions extends MemoryBrokerOptions {
  /** The built artifact. */
  readonly artifact: string;
  /** The weakest sandbox that will do; a server's default is `landlock`. */
  readonly least?: SandboxLevel;
  /** How long an action may take; as long as a server would give it, unless told. */
  readonly deadlineMs?: number;
}

export interface Harness {
  /** How the plugin is fenced in on this machine. */
  readonly level: SandboxLevel;
  /** For a plan, what it is asked with: without a question, no input and no nodes. */
  run(action: ActionName, question?: PlanQuestion): Promise<HarnessRun>;
  close(): Promise<void>;
}

/**
 * Runs a built plugin as a server would: in a sandbox, in a fresh process for each action, under the same limits, with its
 * answers judged by the same schemas. A plan is drawn up twice, because a server may ask again and compare.
 */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-harness-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const sha256 = createHash("sha256")
      .update(await readFile(options.artifact))
      .digest("hex");
    const launcher = await openLauncher({ runtimeDirectory: directory, least: options.least ?? "landlock" });
    const close = () => runAll([() => launcher.close(), remove]);
    try {
      const staged = await launcher.stage({ path: options.artifact, sha256 });
      const once = async (
        action: ActionName,
        question: PlanQuestion,
        broker: ReturnType<typeof openMemoryBroker>,
      ): Promise<HarnessRun> => {
        const process = staged.start(action, {
          deadlineMs: options.deadlineMs ?? actionLimits.deadlineMs[action],
          outputBytes: actionLimits.outputBytes[action],
          stderrBytes: actionLimits.stderrBytes,
          memoryBytes: actionLimits.memoryBytes,
        });
        const spoken = await speakWith(process, broker, action, action === "plan" ? { ...question } : {});
        return { action, ...judgeAnswer(action, spoken, { ...options, asked: question.nodes }) };
      };
      return {
        level: launcher.level,
        run: async (action, question = { input: null, nodes: [] }) => {
          const run = await once(action, question, openMemoryBroker(options));
          if (action !== "plan" || run.trouble !== undefined) return run;
          // The second time nothing it keeps or tells counts: what is asked is whether it says the same.
          const again = await once(
            action,
            question,
            openMemoryBroker({ ...options, store: new Map(), onLog: () => undefined }),
          );
          const isSame =
            again.trouble === undefined && writeCanonicalJson(again.result) === writeCanonicalJson(run.result);
          if (isSame) return run;
          const { result: _, ...rest } = run;
          return { ...rest, trouble: again.trouble ?? "the same question gave another plan the second time" };
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}
