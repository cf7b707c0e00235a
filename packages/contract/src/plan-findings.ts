/** How much a finding of the lint weighs. A plan with a refusal cannot be offered for review. */
export const lintSeverities = ["refuse", "warn", "note"] as const;
export type LintSeverity = (typeof lintSeverities)[number];
