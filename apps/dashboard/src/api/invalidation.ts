import { queryClient } from "./query-client.ts";

/** What is to be read again when something of a noun changed. Every change is also a record of the audit log. */
const keysOfNoun: Readonly<Record<string, readonly string[]>> = {
  plugin: ["plugins", "marketplace"],
  // What plugins answered is asked again only here: asking is itself a record, and would go round in a circle.
  contributions: ["contributions", "plugins", "plugin-answers"],
  user: ["users", "whoami", "tokens"],
  token: ["tokens"],
  session: ["sessions"],
  auth: ["sessions"],
};

const batchMs = 150;
let changed = new Set<string>();
let timer: number | undefined;

/** A burst of events reads each thing again once. */
export function forgetNoun(noun: string): void {
  changed.add("audit");
  for (const key of keysOfNoun[noun] ?? []) changed.add(key);
  timer ??= window.setTimeout(() => {
    const keys = changed;
    changed = new Set();
    timer = undefined;
    void queryClient.invalidateQueries({ predicate: ({ queryKey }) => keys.has(String(queryKey[0])) });
  }, batchMs);
}

export function forgetAll(): void {
  void queryClient.invalidateQueries();
}
