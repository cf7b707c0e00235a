import { createHash, randomBytes } from "node:crypto";
import type { Clock, Json } from "@gatehouse/base";
import {
  type ActionName,
  type AuditDetail,
  type AuditFacts,
  type Capability,
  fault,
  isFault,
} from "@gatehouse/contract";
import { pluginQuestionKind } from "@gatehouse/contract/records";
import type { ActionReport } from "@gatehouse/contract/routes";
import { finishPlan, inputDigest, planDigest, type PlanDraft } from "@gatehouse/plan";
import type { Change, Store } from "@gatehouse/store";
import { create, remove } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Book } from "./book.ts";
import { breakerEntry } from "./entries.ts";
import { judgeNews } from "./judge-news.ts";
import type { Entered, Ran, Runtime } from "./open-runtime.ts";

export interface AskDeps {
  readonly runtime: Pick<Runtime, "enter">;
  /** Armed a moment before its entry is durable, a plugin is not active yet. */
  readonly activationOf: (id: string) => Promise<"unknown" | "inactive" | "active">;
  readonly book: Pick<Book, "write" | "note">;
  readonly store: Pick<Store, "health">;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Question {
  readonly id: string;
  readonly action: ActionName;
  /** What a plan is drawn up from; absent for the other actions. */
  readonly input: Json | undefined;
}

/** Who asks; `null` is the server by itself. */
export type Asker = Required<Pick<AuditFacts, "actor" | "requestId" | "address">> | null;

/** What leaves the machine or is kept for good is on the record whoever asks. */
const recorded: readonly Capability[] = ["http:egress", "kv:write"];

export function isAlwaysRecorded({ capabilities }: { readonly capabilities: readonly Capability[] }): boolean {
  return capabilities.some((name) => recorded.includes(name));
}

/**
 * Asks an active plugin. That it is asked is durable before anything of it runs, and how it ended before it is answered: what
 * was asked, and every broker call counted and named (contract 3.1). What the server asks by itself of a plugin that can only
 * answer is recorded when the answer changes. Nothing is stored or applied by it; a plan is a draft (contract 1).
 */
export async function askPlugin(deps: AskDeps, asker: Asker, question: Question): Promise<ActionReport> {
  const { id, action } = question;
  const params = paramsOf(question);
  const activation = await deps.activationOf(id);
  if (activation === "unknown") throw fault("plugin.unknown", `there is no plugin ${id}`);
  if (activation === "inactive") throw fault("plugin.not_active", `${id} is not active`);
  const entered = deps.runtime.enter(id, asker === null);
  const begun = await begin(deps, asker, entered, question).catch((error: unknown) => {
    entered.leave();
    throw error;
  });
  const askedAt = deps.clock.monotonic();
  let ran: Ran;
  try {
    ran = await entered.run(action, params);
  } catch (error) {
    const reason = isFault(error) ? error.detail : "an unexpected failure; the server's log has the cause";
    await begun.end("failed", { reason });
    throw error;
  }
  const { run, judged, turn } = ran;
  const plan = judged.ok && judged.draft !== undefined ? nameOfPlan(entered, judged.draft, question.input) : null;
  const news = action === "plan" ? null : judgeNews(action, judged, entered.ledger.answerTo(action));
  if (action !== "plan") {
    const when = { at: deps.clock.now(), askedAt, ms: run.ms };
    entered.ledger.keepAnswer(action, { ...when, ...(judged.ok ? judged : { ok: false, reason: judged.reason }) });
  }
  const unwritten = await begun.end(
    judged.ok ? "done" : "failed",
    {
      ms: run.ms,
      calls: run.calls,
      ...(plan !== null && { planDigest: plan.digest, inputSha256: plan.inputSha256 }),
      ...(news !== null && { was: news.was, is: news.is }),
      ...(!judged.ok && { reason: judged.reason }),
    },
    news !== null,
  );
  if (turn !== null) {
    const { failuresInARow } = entered.ledger;
    const reason = judged.ok ? "" : judged.reason;
    deps.log.warn(`the breaker of a plugin is ${turn}`, { plugin: id, failuresInARow });
    await deps.book.note(breakerEntry(entered.bundle, deps.clock.now(), { turn, failuresInARow, reason }));
  }
  if (unwritten !== undefined) throw unwritten;
  if (!judged.ok) throw fault("plugin.action_failed", judged.reason, { fields: { action } });
  const { bundle, sandbox } = entered;
  const { artifactSha256 } = bundle;
  const { version } = bundle.manifest;
  return {
    id,
    action,
    version,
    artifactSha256,
    sandbox,
    ms: run.ms,
    calls: [...run.calls],
    result: judged.result,
    plan,
  };
}

type Ended = Omit<AuditDetail<"plugin.answered">, "question" | "action" | "version" | "artifactSha256">;

interface Begun {
  /** Resolves with why the end could not be written yet. `isNews`: also when the question itself was not recorded. */
  end(outcome: "done" | "failed", how: Ended, isNews?: boolean): Promise<unknown>;
}

/** Puts the question on the record, or refuses: a store that takes no entry is asked first, and the plugin never. */
async function begin(deps: AskDeps, asker: Asker, { bundle }: Entered, asked: Question): Promise<Begun> {
  const { book, clock } = deps;
  const { manifest, artifactSha256 } = bundle;
  const what = { action: asked.action, version: manifest.version, artifactSha256 };
  const who = { ...(asker ?? { actor: "system" }), subject: `plugin/${asked.id}` };
  const end =
    (named: { question?: string }, changes: readonly Change[]): Begun["end"] =>
    (outcome, how) =>
      book.note(
        { at: clock.now(), ...who, action: "plugin.answered", outcome, detail: { ...named, ...what, ...how } },
        changes,
      );
  if (asker === null && !isAlwaysRecorded(manifest)) {
    requireWritable(deps.store);
    const tell = end({}, []);
    return { end: (outcome, how, isNews) => (isNews === true ? tell(outcome, how) : Promise.resolve(undefined)) };
  }
  const question = randomBytes(8).toString("hex");
  const key = pluginQuestionKind.key(question);
  const inputSha256 = asked.input === undefined ? undefined : inputDigest(sha256, asked.input);
  const { version } = await book.write(
    {
      at: clock.now(),
      ...who,
      action: "plugin.asked",
      outcome: "done",
      detail: { question, ...what, ...(inputSha256 !== undefined && { inputSha256 }) },
    },
    [create(key, { plugin: asked.id, ...what })],
  );
  return { end: end({ question }, [remove({ key, version })]) };
}

function requireWritable(store: AskDeps["store"]): void {
  const { writable, reason } = store.health();
  if (!writable) throw fault("store.unavailable", `nothing is asked while nothing can be recorded: ${reason ?? ""}`);
}

function paramsOf({ action, input }: Question): Json {
  if (action !== "plan" && input !== undefined) {
    throw fault("request.malformed", `input: is for the action plan; ${action} takes none`);
  }
  if (action !== "plan") return {};
  if (input === undefined) throw fault("request.malformed", "input: must be there for the action plan");
  return { input };
}

/** The digest that whoever draws the plan up again from the same bytes and the same input must find. */
function nameOfPlan(
  { bundle }: Pick<Entered, "bundle">,
  draft: PlanDraft,
  input: Json | undefined,
): NonNullable<ActionReport["plan"]> {
  const inputSha256 = inputDigest(sha256, input ?? null);
  const { id, version } = bundle.manifest;
  const source = { from: "plugin", plugin: id, version, artifactSha256: bundle.artifactSha256, inputSha256 } as const;
  return { digest: planDigest(sha256, finishPlan(draft, source)), inputSha256 };
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}
