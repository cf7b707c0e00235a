import { type Clock, runAll } from "@gatehouse/base";
import type { Manifest, VerifiedBundle } from "@gatehouse/bundle/verify";
import { type ActionName, fault, isFault } from "@gatehouse/contract";
import type { Log } from "../../platform/log/index.ts";
import type { Book } from "./book.ts";
import type { BreakerTurn } from "./breaker.ts";
import { armedEntry, detachedEntry } from "./entries.ts";
import { type JudgedResult, judgeResult, type ResultBounds } from "./judge-result.ts";
import { busy, Ledger, runtimeLimits } from "./ledger.ts";
import { oneVisibleLine } from "./one-visible-line.ts";
import type { ActionParams } from "./read-question.ts";
import type { ActionRun, Armed, Runner } from "./runner.ts";

export interface RuntimeDeps {
  readonly runner: Runner;
  readonly log: Log;
  readonly clock: Clock;
  /** Where it says what it armed and detached (contract 6). */
  readonly book: Pick<Book, "write" | "note">;
}

export interface RuntimeState {
  readonly state: "absent" | "armed" | "failed";
  readonly sandbox: string | null;
  readonly message: string | null;
  /** What it did since it was armed. */
  readonly ledger: Ledger | null;
}

type ArmedBundle = Omit<VerifiedBundle, "manifest"> & { readonly manifest: Manifest };

export interface Ran {
  readonly run: ActionRun;
  readonly judged: JudgedResult;
  /** What it made of the breaker. */
  readonly turn: BreakerTurn;
}

/** A place for one action. Whoever has it either runs once or leaves. */
export interface Entered {
  readonly bundle: ArmedBundle;
  readonly sandbox: string;
  readonly ledger: Ledger;
  /** What the plugin does wrong is in the answer. Refuses when the plugin was detached meanwhile. */
  run(params: ActionParams): Promise<Ran>;
  /** Gives the place back; nothing was run. */
  leave(): void;
}

export interface Runtime {
  /** Throws `plugin.activation_failed` with the reason, for the operator and the audit log. */
  arm(bundle: VerifiedBundle, occasion: "activation" | "start"): Promise<void>;
  /** Access has ended when this settles, also when it throws because something would not stop. Nothing armed is no fault. */
  disarm(id: string, occasion: "activation" | "disabling"): Promise<void>;
  /** A place for one action; refuses for a breaker that is open or too much work. `isOwn`: nobody asked the server to. */
  enter(id: string, action: ActionName, isOwn?: boolean): Entered;
  stateOf(id: string): RuntimeState;
  armedIds(): readonly string[];
  /** Detaches everything; arms nothing from now on. */
  close(): Promise<void>;
}

interface Held {
  readonly armed: Armed;
  readonly bundle: VerifiedBundle;
  readonly ledger: Ledger;
}

/** Knows what is armed. What it does not know of has no broker and cannot run. */
export function openRuntime({ runner, log, clock, book }: RuntimeDeps): Runtime {
  const held = new Map<string, Held>();
  const failures = new Map<string, string>();
  let running = 0;
  let plans = 0;
  let isClosed = false;

  /** Planned refusals are for people; anything else is a defect, and its cause is for the log. */
  const refusal = (id: string, what: string, error: unknown) => {
    const isPlanned = isFault(error);
    if (!isPlanned) log.error(`${what} failed`, { plugin: id }, error);
    const reason = isPlanned ? error.detail : `${what} failed; the server's log has the cause`;
    failures.set(id, reason);
    return fault("plugin.activation_failed", reason, { cause: error });
  };

  const disarm = async (id: string, occasion: "activation" | "disabling" | "stop"): Promise<void> => {
    const one = held.get(id);
    // Forgotten first: nobody is shown or handed a plugin that is being detached.
    held.delete(id);
    failures.delete(id);
    if (one === undefined) return;
    const tell = async (failure?: string) => {
      log.info("a plugin is detached", { plugin: id, occasion, failure });
      await book.note(detachedEntry(one.bundle, clock.now(), { occasion, failure }));
    };
    try {
      await one.armed.disarm();
    } catch (error) {
      const refused = refusal(id, "stopping the runtime", error);
      await tell(refused.detail);
      throw refused;
    }
    await tell();
  };

  /** What is armed at a start is armed also on a full disk: its entry is owed, and comes before any question. */
  const tellArmed = async (bundle: VerifiedBundle, sandbox: string, occasion: "activation" | "start") => {
    const entry = armedEntry(bundle, clock.now(), { occasion, sandbox });
    log.info("a plugin is armed", { plugin: bundle.manifest.id, occasion, sandbox });
    if (occasion === "start") await book.note(entry);
    else await book.write(entry);
  };

  return {
    arm: async (bundle, occasion) => {
      const { id } = bundle.manifest;
      if (held.has(id)) throw new Error(`${id} is armed already`);
      failures.delete(id);
      let armed: Armed;
      try {
        if (isClosed) throw fault("server.stopping", "the server is stopping");
        armed = await runner.arm(bundle);
      } catch (error) {
        throw refusal(id, "arming the plugin", error);
      }
      try {
        await tellArmed(bundle, armed.sandbox, occasion);
      } catch (error) {
        await armed.disarm().catch((left: unknown) => log.error("stopping the runtime failed", { plugin: id }, left));
        throw refusal(id, "arming the plugin", error);
      }
      held.set(id, { armed, bundle, ledger: new Ledger(clock) });
      if (!isClosed) return;
      await disarm(id, "stop");
      throw refusal(id, "arming the plugin", fault("server.stopping", "the server is stopping"));
    },
    disarm,
    enter: (id, action, isOwn) => {
      const one = held.get(id);
      if (one === undefined) throw fault("plugin.not_active", `${id} is not armed`);
      if (running >= runtimeLimits.altogether) throw busy(`${runtimeLimits.altogether} actions run already`);
      const isPlan = action === "plan";
      if (isPlan && plans >= runtimeLimits.plans) throw busy(`${runtimeLimits.plans} plans are drawn up already`);
      const pass = one.ledger.enter(id, isOwn);
      running += 1;
      if (isPlan) plans += 1;
      const leave = (succeeded?: boolean) => {
        running -= 1;
        if (isPlan) plans -= 1;
        return pass.finish(succeeded);
      };
      const run = async (params: ActionParams) => {
        // Whoever entered may have waited since, and the plugin may be another by now.
        if (held.get(id) !== one) throw fault("plugin.not_active", `${id} is not armed any more`);
        one.ledger.begin();
        const run = await one.armed.run(action, params);
        const judged = judge(action, run, { ...one.bundle.manifest, asked: params.nodes ?? [] });
        const stderr = run.outcome.ok ? "" : run.outcome.stderr;
        one.ledger.record(action, run, judged.ok ? undefined : { reason: judged.reason, stderr });
        return { run, judged };
      };
      return {
        bundle: one.bundle,
        sandbox: one.armed.sandbox,
        ledger: one.ledger,
        run: async (params) => {
          const ran = await run(params).catch((error: unknown) => {
            leave(false);
            throw error;
          });
          return { ...ran, turn: leave(ran.judged.ok) };
        },
        leave: () => void leave(),
      };
    },
    stateOf: (id) => {
      const message = failures.get(id) ?? null;
      const one = held.get(id);
      if (one !== undefined) return { state: "armed", sandbox: one.armed.sandbox, message, ledger: one.ledger };
      return { state: message === null ? "absent" : "failed", sandbox: null, message, ledger: null };
    },
    armedIds: () => [...held.keys()].sort(),
    close: () => {
      isClosed = true;
      return runAll([...held.keys()].map((id) => () => disarm(id, "stop")));
    },
  };
}

function judge(action: ActionName, { outcome }: ActionRun, bounds: ResultBounds): JudgedResult {
  const judged = outcome.ok ? judgeResult(action, outcome.result, bounds) : outcome;
  if (judged.ok) return judged;
  // It may quote the plugin: an error's message, the name of a field.
  return { ok: false, reason: oneVisibleLine(judged.reason, runtimeLimits.reasonChars) };
}
