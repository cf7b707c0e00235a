import { fault, isFault } from "@gatehouse/contract";
import type { KnownAnswer } from "@gatehouse/contract/routes";
import { type AskDeps, askPlugin, isAlwaysRecorded } from "./ask-plugin.ts";
import type { LastAnswer, Ledger, SelfAction } from "./ledger.ts";
import type { Runtime } from "./open-runtime.ts";

/** How often the server asks by itself while somebody looks. */
export const ownQuestionRules = {
  everyMs: 60_000,
  /** Where each question is two entries of a log that is kept for good. */
  everyMsRecorded: 600_000,
  /** Plugins that are asked at the same time; the others are asked when somebody looks again. */
  atOnce: 4,
} as const;

const actions: readonly SelfAction[] = ["describe", "health"];

export interface OwnQuestionsDeps extends AskDeps {
  readonly runtime: Pick<Runtime, "enter" | "stateOf">;
  readonly capabilitiesOf: (id: string) => Parameters<typeof isAlwaysRecorded>[0] | undefined;
}

export interface Known {
  readonly id: string;
  readonly sandbox: string;
  readonly describe: KnownAnswer;
  readonly health: KnownAnswer;
}

export interface OwnQuestions {
  /** What an active plugin last said of itself. What is too old is asked again, behind the reader's back and in nobody's name. */
  look(id: string): Promise<Known>;
  /** Something that plugins speak of has changed: whoever looks next has them describe it again, a minute after the last time. */
  renew(): void;
  /** Resolves when nothing is being asked any more. */
  close(): Promise<void>;
}

interface Asking {
  readonly ledger: Ledger;
  readonly done: Promise<void>;
  now: SelfAction | undefined;
}

export function openOwnQuestions(deps: OwnQuestionsDeps): OwnQuestions {
  const asking = new Map<string, Asking>();
  /** When it was last tried; a refusal counts, so that a plugin that cannot be asked is not asked all the time. */
  const triedAt = new WeakMap<Ledger, Map<SelfAction, number>>();
  let renewedAt = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  const isDue = (id: string, ledger: Ledger, action: SelfAction): boolean => {
    const bytes = deps.capabilitiesOf(id);
    const every =
      bytes !== undefined && !isAlwaysRecorded(bytes) ? ownQuestionRules.everyMs : ownQuestionRules.everyMsRecorded;
    const last = Math.max(ledger.answerTo(action)?.askedAt ?? -Infinity, triedAt.get(ledger)?.get(action) ?? -Infinity);
    const passed = deps.clock.monotonic() - last;
    const isRenewed = action === "describe" && last < renewedAt && passed >= ownQuestionRules.everyMs;
    return isRenewed || passed >= every;
  };

  const askOne = async (id: string, ledger: Ledger, action: SelfAction): Promise<void> => {
    const tried = triedAt.get(ledger) ?? new Map<SelfAction, number>();
    triedAt.set(ledger, tried.set(action, deps.clock.monotonic()));
    try {
      await askPlugin(deps, null, { id, action, input: undefined });
    } catch (error) {
      // Nobody waits for it. What the plugin did wrong is in its ledger; the rest is told once here.
      if (isFault(error, "plugin.action_failed")) return;
      if (isFault(error))
        deps.log.warn("the server did not ask a plugin", { plugin: id, action, reason: error.detail });
      else deps.log.error("the server could not ask a plugin", { plugin: id, action }, error);
    }
  };

  const begin = (id: string, ledger: Ledger): void => {
    const due = actions.filter((action) => isDue(id, ledger, action));
    if (isClosed || due.length === 0 || asking.has(id) || asking.size >= ownQuestionRules.atOnce) return;
    const one: { -readonly [Key in keyof Asking]: Asking[Key] } = { ledger, now: due[0], done: Promise.resolve() };
    asking.set(id, one);
    one.done = (async () => {
      for (const action of due) {
        if (isClosed) break;
        one.now = action;
        await askOne(id, ledger, action);
      }
    })().finally(() => asking.delete(id));
  };

  return {
    look: async (id) => {
      const activation = await deps.activationOf(id);
      if (activation === "unknown") throw fault("plugin.unknown", `there is no plugin ${id}`);
      const { ledger, sandbox } = deps.runtime.stateOf(id);
      if (activation === "inactive" || ledger === null) throw fault("plugin.not_active", `${id} is not active`);
      begin(id, ledger);
      const under = asking.get(id);
      const show = (action: SelfAction) =>
        view(ledger.answerTo(action), under?.ledger === ledger && under.now === action);
      return { id, sandbox: sandbox ?? "none", describe: show("describe"), health: show("health") };
    },
    renew: () => {
      renewedAt = deps.clock.monotonic();
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...asking.values()].map(({ done }) => done));
    },
  };
}

function view(last: LastAnswer | undefined, isAsking: boolean): KnownAnswer {
  if (last === undefined) return { state: "unknown", at: null, ms: null, result: null, reason: null, asking: isAsking };
  const when = { at: new Date(last.at).toISOString(), ms: last.ms, asking: isAsking };
  return last.ok
    ? { state: "answered", ...when, result: last.result, reason: null }
    : { state: "failed", ...when, result: null, reason: last.reason };
}
