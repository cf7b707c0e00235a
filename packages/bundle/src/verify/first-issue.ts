import type { ZodError } from "zod";
import { describeValue, printable } from "./printable.ts";

export interface Issue {
  /** Where, as a JSON pointer. */
  readonly at: string;
  readonly expected: string;
  readonly found: string;
}

/** The first thing a schema found wrong, in our words. The messages of our schemas say what is expected. */
export function firstIssue(error: ZodError, value: unknown): Issue {
  const issue = error.issues[0] as ZodError["issues"][number];
  if (issue.code === "unrecognized_keys") {
    return { at: pointer([...issue.path, ...issue.keys.slice(0, 1)]), expected: "no such field", found: "one" };
  }
  // A name that is not allowed as a key: the issue inside says what one looks like.
  if (issue.code === "invalid_key") {
    const expected = issue.issues.map((inner) => inner.message).join();
    return { at: pointer(issue.path), expected, found: describeValue(issue.path.at(-1)) };
  }
  return { at: pointer(issue.path), expected: issue.message, found: describeValue(valueAt(value, issue.path)) };
}

function pointer(path: readonly PropertyKey[]): string {
  return `/${path.map((part) => printable(String(part).replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const part of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, part)) return undefined;
    inner = (inner as Record<PropertyKey, unknown>)[part];
  }
  return inner;
}
