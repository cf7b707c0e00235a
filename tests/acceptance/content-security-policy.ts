import type { Answer } from "./ask.ts";

/** A policy as directive → sources, read the way a browser reads it: the first directive of a name counts. */
export function policyOf({ headers }: Pick<Answer, "headers">): Map<string, readonly string[]> {
  const policy = new Map<string, readonly string[]>();
  for (const part of String(headers["content-security-policy"] ?? "").split(";")) {
    const [name, ...sources] = part.trim().split(/\s+/);
    if (name !== undefined && name !== "" && !policy.has(name)) policy.set(name.toLowerCase(), sources);
  }
  return policy;
}
