import { randomBytes } from "node:crypto";
import type { Clock, Json } from "@gatehouse/base";
import {
  type ActionName,
  type AuditDetail,
  type AuditFacts,
  type Capability,
  fault,
  isFault,
} from "@gatehouse/contract";
import type { PlanNode } from "@gatehouse/contract/broker";
import { pluginQuestionKind } from "@gatehouse/contract/records";
import type { ActionReport } from "@gatehouse/contract/routes";
import type { PlanDraft } from "@gatehouse/plan";
import type { Change, Store } from "@gatehouse/store";
import { create, remove } from "@gatehouse/store/decide";
import type { Log } from "../../platform/log/index.ts";
import type { Book } from "./book.ts";
import { breakerEntry } from "./entries.ts";
import { judgeNews } from "./judge-news.ts";
import type { Entered, Ran, Runtime } from "./open-runtime.ts";
import { nameDraft } from "./plan-digests.ts";
import { readQuestion } from "./read-question.ts";

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
  /** Those that a plan is drawn up for; absent for the other actions. */
  readonly nodes?: readonly PlanNode[] | undefined;
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
  return (await putQuestion(deps, asker, question)).report;
}

/** The same, with the draft as the server has read it. */
export async function putQuestion(
  deps: AskDeps,
  asker: Asker,
  question: Question,
): Promise<{ readonly report: ActionReport; readonly draft: PlanDraft | undefined }> {
  const { id, action } = question;
  const { params, inputSha256 } = readQuestion(question);
  const activation = await deps.activationOf(id);
  if (activation === "unknown") throw fault("plugin.unknown", `there is no plugin ${id}`);
  if (activation === "inactive") throw fault("plugin.not_active", `${id} is not active`);
  const entered = deps.runtime.enter(id, action, asker === null);
  const begun = await begin(deps, asker, entered, { id, action, inputSha256 }).catch((error: unknown) => {
    entered.leave();
    throw error;
  });
  const askedAt = deps.clock.monotonic();
  let ran: Ran;
  try {
    ran = await entered.run(params);
  } catch (error) {
    const reason = isFault(error) ? error.detail : "an unexpected failure; the server's log has the cause";
    await begun.end("failed", { reason });
    throw error;
  }
  const { run, judged, turn } = ran;
  const draft = judged.ok ? judged.draft : undefined;
  const plan = draft === undefined || inputSha256 === undefined ? null : { digest: nameDraft(draft), inputSha256 };
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
      ...(plan !== null && { draftDigest: plan.digest, inputSha256: plan.inputSha256 }),
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
  const { ms, calls } = run;
  return {
    report: { id, action, version, artifactSha256, sandbox, ms, calls: [...calls], result: judged.result, plan },
    draft,
  };
}

type Ended = Omit<AuditDetail<"plugin.answered">, "question" | "action" | "version" | "artifactSha256">;

interface Begun {
  /** Resolves with why the end could not be written yet. `isNews`: also when the question itself was not recorded. */
  end(outcome: "done" | "failed", how: Ended, isNews?: boolean): Promise<unknown>;
}

/** Puts the question on the record, or refuses: a store that takes no entry is asked first, and the plugin never. */
async function begin(
  deps: AskDeps,
  asker: Asker,
  { bundle }: Entered,
  asked: { readonly id: string; readonly action: ActionName; readonly inputSha256: string | undefined },
): Promise<Begun> {
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
  const { inputSha256 } = asked;
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
