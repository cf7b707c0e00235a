import type { BundleCheck } from "@gatehouse/contract/routes";

export interface ShownRefusal {
  readonly code: string;
  readonly detail: string;
  readonly todo: string;
}

const words = { passed: "ok", failed: "FAILED", skipped: "skipped" } as const;

/** Why it was refused and what to do, then every check: what was expected and what was found. */
export function verdictLines(checks: readonly BundleCheck[], refusal: ShownRefusal | null): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return [
    ...(refusal === null ? [] : [`  ${refusal.code}: ${refusal.detail}`, `  ${refusal.todo}`]),
    ...checks.flatMap((check) => checkLines(check, width)),
  ];
}

/** A failed check is read slowly, so it has a line for each side; the others are looked over. */
function checkLines({ name, outcome, expected, found }: BundleCheck, width: number): string[] {
  if (outcome === "skipped") return [`  ${words.skipped}  ${name}`];
  const start = `  ${words[outcome].padEnd(7)}  ${name.padEnd(width)}`;
  if (outcome === "passed") return [`${start}  expected ${expected}; found ${found}`];
  const rest = " ".repeat(start.length);
  return [`${start}  expected ${expected}`, `${rest}  found    ${found}`];
}
