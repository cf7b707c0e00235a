import type { AuditNoun } from "@gatehouse/contract";
import type { Query } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";

/** The nouns of audit actions, and what everybody is told without one. */
type Noun = AuditNoun | "contributions";

/** What is to be read again when something of a noun changed. Every change is also a record of the audit log. */
const keysOfNoun: Readonly<Record<Noun, readonly string[]>> = {
  audit: [],
  auth: ["sessions"],
  contributions: ["contributions", "plugins", "plugin-answers"],
  enrolment: ["enrolments"],
  node: ["nodes"],
  // Looking at answers makes a record only where the server's own pace lets it, so this cannot go round in a circle.
  plugin: ["plugins", "marketplace", "plugin-answers"],
  state: [],
  store: [],
  token: ["tokens"],
  user: ["users", "whoami", "tokens"],
  witness: [],
};

const batchMs = 150;
let changed = new Set<string>();
let timer: number | undefined;

/** A burst of events reads each thing again once. A noun that this page does not know is a server's that is newer. */
export function forgetNoun(noun: string): void {
  changed.add("audit");
  // How many records are newer than what was verified.
  changed.add("audit-check");
  for (const key of isKnown(noun) ? keysOfNoun[noun] : []) changed.add(key);
  timer ??= window.setTimeout(() => {
    const keys = changed;
    changed = new Set();
    timer = undefined;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => keys.has(String(queryKey[0])) });
  }, batchMs);
}

function isKnown(noun: string): noun is Noun {
  return Object.hasOwn(keysOfNoun, noun);
}

export function forgetAll(): void {
  void queryClient.invalidateQueries();
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
