import { type InTurn, runAll } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { checkParts, smallPartsOf } from "./check-parts.ts";
import type { KeptArtifact } from "./kept-artifact.ts";
import type { ArtifactInbox } from "./open-artifact-inbox.ts";
import type { Inbox } from "./open-inbox.ts";
import type { AnnouncedTask, JudgedTask, TaskDesk, TaskJudge, TaskTaker, WholeTask } from "./task.ts";

/** Counts one; false when it is one too many. */
interface Counted {
  take(): boolean;
}

export interface TaskDeskDeps {
  readonly judge: TaskJudge;
  readonly changes: TaskTaker;
  readonly inbox: Inbox;
  /** What is too large for the memory. */
  readonly artifacts: ArtifactInbox;
  readonly inTurn: InTurn;
  readonly minutes: { readonly tasks: Counted; readonly taskLines: Counted };
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
}

/** Takes changes and their parts, has each judged once it is whole, and begins the one that is right. */
export function openTaskDesk(deps: TaskDeskDeps): TaskDesk {
  const { inbox, artifacts, inTurn, minutes, log } = deps;
  const note = (what: string, error: unknown, name: string) => {
    const code = isFault(error) ? error.code : "defect";
    if (minutes.taskLines.take()) log(`${what} was refused: ${code}: ${name}`);
  };
  return {
    submit: async (task) => {
      try {
        if (!minutes.tasks.take()) throw fault("local.limit", "more changes were submitted in a minute than are taken");
        return await inTurn(["task"], () => takeTurn(deps, task));
      } catch (error) {
        note("a change", error, task.task);
        throw error;
      }
    },
    put: async (piece) => {
      try {
        if (!artifacts.wants(piece.sha256)) return inbox.put(piece);
        await artifacts.put(piece);
        inbox.moves();
      } catch (error) {
        note("a part of a change", error, piece.sha256);
        throw error;
      }
    },
  };
}

async function takeTurn(deps: TaskDeskDeps, task: AnnouncedTask): ReturnType<TaskDesk["submit"]> {
  const { judge, changes, inbox, artifacts } = deps;
  try {
    await judge.admit(task);
    const taken = await changes.find(task.task);
    if (taken !== undefined) return { missing: [], taken };
    checkParts(task.parts);
    const missing = [...inbox.expect(smallPartsOf(task.parts)), ...(await artifacts.expect(task.parts.artifacts))];
    if (missing.length > 0) return { missing };
    const whole = wholeOf(inbox, task, await artifacts.lend(task.parts.artifacts));
    // Whatever the verdict is, a change that is sent again brings its small parts again.
    inbox.clear();
    await begin(deps, await judge.judge(whole));
    return { missing: [], taken: { ended: undefined } };
  } catch (error) {
    inbox.clear();
    await artifacts.rest();
    throw error;
  }
}

/** From here on the artifacts are the change's, or nobody's. */
async function begin({ artifacts, changes }: TaskDeskDeps, judged: JudgedTask): Promise<void> {
  try {
    await artifacts.give();
    await changes.begin(judged);
  } catch (error) {
    await runAll(judged.artifacts.map((each) => () => each.close()));
    throw error;
  }
}

function wholeOf(inbox: Inbox, { parts, ...announced }: AnnouncedTask, artifacts: readonly KeptArtifact[]): WholeTask {
  return {
    ...announced,
    header: inbox.get(parts.header),
    digests: inbox.get(parts.digests),
    section: inbox.get(parts.section),
    approvals: inbox.get(parts.approvals),
    artifacts,
  };
}
