import type { Found } from "./found.ts";

/** A refusal of a whole file, and behind it the reason that its detail names. */
export function withReason(found: Found): Found[] {
  const reason = /: ([a-z_]+\.[a-z_]+): /.exec(found.detail)?.[1] ?? "no reason";
  return [found, { code: reason, detail: found.detail, at: "its detail" }];
}
