import type { AuditNoun } from "@gatehouse/contract";
import type { Query } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";

/** The nouns of audit actions, and what everybody is told without one. */
type Noun = AuditNoun | "contributions";

/** What is to be read again when something of a noun changed. Every change is also a record of the audit log. */
const keysOfNoun: Readonly<Record<Noun, readonly string[]>> = {
  alert: ["alerts", "alert-rules", "alert-silences", "overview"],
  artifact: ["artifacts"],
  audit: ["overview"],
  auth: ["sessions"],
  contributions: ["contributions", "plugins", "plugin-answers", "map-lines"],
  enrolment: ["enrolments"],
  node: ["node", "nodes", "map-places"],
  plan: ["plan", "plans", "plan-tasks", "overview"],
  // Looking at answers makes a record only where the server's own pace lets it, so this cannot go round in a circle.
  plugin: ["plugins", "marketplace", "plugin-answers", "overview"],
  settings: ["settings", "plans-stop", "overview"],
  state: [],
  store: ["overview"],
  task: ["plan", "plan-tasks"],
  token: ["tokens", "overview"],
  user: ["users", "whoami", "tokens", "names-in-log"],
  webhook: ["webhooks", "webhook-deliveries", "overview"],
  witness: [],
  witnessed: ["audit-witnesses"],
};

/**
 * A list of ten thousand takes seconds to read, and some host always has new facts: it is read less often than it changes, and
 * a reading that has begun is not begun anew.
 */
const longLists: ReadonlySet<string> = new Set(["nodes", "map-places", "plan-tasks"]);
/** Every page reads it, and after a restore ten thousand hosts may say the same within a minute. */
const disbelief = "audit-witnesses";

const batchMs = 150;
let changed = new Set<string>();
let timer: number | undefined;

/** A burst of events reads each thing again once. A noun that this page does not know is a server's that is newer. */
export function forgetNoun(noun: string): void {
  changed.add("audit");
  // How many records are newer than what was verified.
  changed.add("audit-check");
  for (const key of isKnown(noun) ? keysOfNoun[noun] : []) {
    if (longLists.has(key)) forgetLongLists();
    else if (key === disbelief) forgetDisbelief();
    else changed.add(key);
  }
  timer ??= window.setTimeout(() => {
    const keys = changed;
    changed = new Set();
    timer = undefined;
    readAgain(keyIn((key) => keys.has(key)));
  }, batchMs);
}

/** Also by itself: a host that says how far it is makes no record of the audit log. What is broken among hosts is read at their pace. */
export const forgetLongLists = atMostEvery2s(() =>
  readAgain(
    keyIn((key) => key === "overview" || longLists.has(key)),
    false,
  ),
);

/** Nodes came or went. That is no record of the audit log. A fleet that comes back is many events; whoever looks at it needs a few. */
export const forgetPresence = atMostEvery2s(() =>
  readAgain(keyIn((key) => key === "overview" || keysOfNoun.node.includes(key))),
);

const forgetDisbelief = atMostEvery2s(() =>
  readAgain(
    keyIn((key) => key === "overview" || key === disbelief),
    false,
  ),
);

function atMostEvery2s(act: () => void): () => void {
  let paced: number | undefined;
  return () => {
    paced ??= window.setTimeout(() => {
      paced = undefined;
      act();
    }, 2_000);
  };
}

function keyIn(isMeant: (key: string) => boolean): (query: Query) => boolean {
  return ({ queryKey }) => isMeant(String(queryKey[0]));
}

function isKnown(noun: string): noun is Noun {
  return Object.hasOwn(keysOfNoun, noun);
}

export function forgetAll(): void {
  readAgain(() => true);
}

/**
 * Reads again what is shown. The first reading of something is never begun anew, others only where that is wanted; one that goes
 * on may have been answered before the change, and is followed by another.
 */
function readAgain(predicate: (query: Query) => boolean, cancelRefetch = true): void {
  const goesOn = ({ state }: Query): boolean => !cancelRefetch || state.data === undefined;
  const late = queryClient.getQueryCache().findAll({ predicate, fetchStatus: "fetching" }).filter(goesOn);
  void queryClient.invalidateQueries({ predicate }, { cancelRefetch });
  for (const query of late) void readAfter(query);
}

async function readAfter(query: Query): Promise<void> {
  try {
    await query.promise;
  } catch {
    // Whoever asked sees the refusal.
    return;
  }
  void queryClient.invalidateQueries({ predicate: (one) => one === query }, { cancelRefetch: false });
}

/**
 * Asks again for what is being waited for. A connection that was lost without a word answers nothing and is not given up by
 * the browser for minutes; a new one may answer at once.
 */
export function repeatReads(): void {
  const waiting = new Set(queryClient.getQueryCache().findAll({ fetchStatus: "fetching" }));
  const predicate = (query: Query): boolean => waiting.has(query);
  void queryClient.cancelQueries({ predicate }).then(() => queryClient.refetchQueries({ predicate, type: "active" }));
}
