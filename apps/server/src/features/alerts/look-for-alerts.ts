import { alertLimits } from "@gatehouse/contract";
import { alertKind, type AlertRecord, alertSilenceKind, nodeKind, type NodeRecord } from "@gatehouse/contract/records";
import { listRecords } from "@gatehouse/store/decide";
import { listAlertRules } from "./alert-rules.ts";
import { endExpiredSilences, silencedUntil } from "./alert-silences.ts";
import type { AlertsDeps } from "./alerts-deps.ts";
import type { WatchRun, Sight } from "./judge-watch.ts";
import { keepEnded, keepOpened } from "./keep-alerts.ts";
import type { Signals } from "./signals.ts";
import { type EndingAlert, type OpeningAlert, stepAlerts } from "./step-alerts.ts";

export interface LookDeps extends Pick<AlertsDeps, "store" | "decide" | "clock" | "seen" | "later"> {
  readonly signals: Signals;
  /** Is told before anything is kept: what came is counted once, also where the disk is full. */
  readonly remember: (looked: Looked) => void;
}

/** What is carried from one look to the next. */
export interface Looked {
  readonly runs: ReadonlyMap<string, WatchRun>;
  /** Alerts that were not kept because too many are open. */
  readonly unkept: number;
}

/**
 * One look at every node, by what is in memory and in the records: no curve is read. What has ended goes first, so that there is
 * room for what opens.
 */
export async function lookForAlerts(deps: LookDeps, before: Looked): Promise<void> {
  const { store, decide, clock, signals } = deps;
  const now = clock.now();
  const rules = (await listAlertRules(store))
    .filter(({ spec }) => spec.enabled)
    .map(({ id, spec }) => ({ id, ...spec }));
  const alerts = (await listRecords(store, alertKind)).map(({ value }) => value);
  const silences = (await listRecords(store, alertSilenceKind)).map(({ value }) => value);
  const nodes = new Map((await listRecords(store, nodeKind)).map(({ value }) => [value.id, value]));
  signals.keepOnly(new Set(nodes.keys()));
  const open = byNode(alerts);
  const look = { now, watchedMs: signals.watchedMs() };
  const opening: OpeningAlert[] = [];
  const ending: EndingAlert[] = alerts
    .filter(({ node }) => !nodes.has(node))
    .map((alert) => ({ alert, because: "node gone" }));
  const runs = new Map<string, WatchRun>();
  for (const piece of piecesOf([...nodes.values()])) {
    const sights = piece.map((node) => sightOf(deps, node));
    const step = stepAlerts({ rules, sights, open, runs: before.runs, look });
    for (const one of step.opening) opening.push(one);
    for (const one of step.ending) ending.push(one);
    for (const [key, run] of step.runs) runs.set(key, run);
    // Others get their turn: with many rules this is a second's work for ten thousand hosts.
    await deps.later(0);
  }
  const keeping = {
    decide,
    now,
    isSilenced: ({ rule, node: id }: Pick<AlertRecord, "rule" | "node">) =>
      silencedUntil(silences, rule, { id, tags: nodes.get(id)?.tags ?? [] }, now) !== null,
  };
  const room = Math.max(0, alertLimits.open - alerts.length);
  deps.remember({ runs, unkept: Math.max(0, opening.length - room) });
  await keepEnded(keeping, ending);
  await keepOpened(keeping, opening.slice(0, room));
  await endExpiredSilences(deps, now);
}

const pieceNodes = 100;

function* piecesOf(nodes: readonly NodeRecord[]): Generator<readonly NodeRecord[]> {
  for (let from = 0; from < nodes.length; from += pieceNodes) yield nodes.slice(from, from + pieceNodes);
}

function sightOf({ signals, seen }: Pick<LookDeps, "signals" | "seen">, record: NodeRecord): Sight {
  const { id, name, tags, revokedAt, facts } = record;
  const { state, since } = seen(id);
  // One that has enrolled and was never here has not gone away: it was not heard yet, as everybody is told of it.
  const isUnheard = facts === undefined && since === undefined;
  const standing = revokedAt !== undefined ? "revoked" : isUnheard ? "unknown" : state;
  return { id, name, tags, state: standing, since, ...signals.draw(id) };
}

function byNode(alerts: readonly AlertRecord[]): ReadonlyMap<string, ReadonlyMap<string, AlertRecord>> {
  const found = new Map<string, Map<string, AlertRecord>>();
  for (const alert of alerts) {
    const ofNode = found.get(alert.node) ?? new Map<string, AlertRecord>();
    found.set(alert.node, ofNode.set(alert.rule, alert));
  }
  return found;
}
