/** Where the gate runs each project of `vitest.config.ts`: in `check`, beside the labs, or in `check:processes`, in a lane. */
export const gateProjects = {
  check: ["unit", "compilers"],
  "check:processes": ["process"],
} as const;

export function projectWords(suite: keyof typeof gateProjects): string[] {
  return gateProjects[suite].flatMap((name) => ["--project", name]);
}
