export interface Finding {
  readonly name: string;
  /** `note` is worth knowing and keeps nothing from working. */
  readonly verdict: "good" | "note" | "bad";
  readonly found: string;
  /** What to do; empty when it is good. */
  readonly todo: string;
}

export const goodFinding = (name: string, found: string): Finding => ({ name, verdict: "good", found, todo: "" });
export const badFinding = (name: string, found: string, todo: string): Finding => ({
  name,
  verdict: "bad",
  found,
  todo,
});
export const notedFinding = (name: string, found: string, todo: string): Finding => ({
  name,
  verdict: "note",
  found,
  todo,
});
export const enrolAgain =
  "Run `gatehouse-agent enrol CODE` as root; it installs everything anew and keeps the identity.";
