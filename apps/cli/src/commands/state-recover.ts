import type { Report } from "@gatehouse/command-line";
import type { Diagnosis, Finding } from "@gatehouse/store";
import { defineCommand } from "../command.ts";
import { directoryFlags, findDataDirectory, loadStore } from "./data-directory.ts";

export const stateRecover = defineCommand({
  name: "state recover",
  summary: "see what is wrong with the data files, and repair what can be",
  about: [
    "Looks at the four files of a stopped server and says what is wrong with each and what a repair would cost. Without --apply it changes nothing.",
    "With --apply it does exactly what it said: every file it replaces is kept beside the new one, and what was lost stands in the audit log as state.recovered.",
    "Use it when the server refuses to start over its data. If there is a backup of all four files from one moment, restoring that is better: a repair gives up what it cannot read.",
  ],
  examples: [
    { why: "See what is wrong; nothing changes", run: "gatehouse state recover --data-dir /data" },
    {
      why: "Repair it, accepting what the first run said would be lost",
      run: "gatehouse state recover --data-dir /data --apply",
    },
  ],
  flags: { ...directoryFlags, apply: { about: "Do what a run without it proposes." } },
  run: async (given, surroundings) => {
    const where = await findDataDirectory(given, surroundings);
    const { diagnoseDataDirectory, recoverDataDirectory } = await loadStore();
    if (given.apply !== true) return describe(where.directory, await diagnoseDataDirectory(where));
    const { kept, ...diagnosis } = await recoverDataDirectory(where);
    return describe(where.directory, diagnosis, kept);
  },
});

function describe(directory: string, diagnosis: Diagnosis, kept?: readonly string[]): Report {
  const { findings, healthy, recoverable } = diagnosis;
  const lines = [answer(directory, diagnosis, kept !== undefined), ...findings.flatMap(findingLines)];
  for (const file of kept ?? []) lines.push(`  kept as it was: ${file}`);
  if (!healthy && kept === undefined) {
    lines.push(
      recoverable
        ? "  If there is no better backup, run it again with --apply."
        : "  Restore the four files from one backup.",
    );
  }
  const json = {
    directory,
    healthy,
    recoverable,
    applied: kept !== undefined && !healthy,
    findings: findings.map(({ remedy, ...finding }) => ({
      ...finding,
      ...(remedy === undefined ? {} : { remedy: { ...remedy } }),
    })),
    kept: [...(kept ?? [])],
  };
  return { ok: healthy || kept !== undefined, lines, json };
}

function answer(directory: string, { healthy, recoverable }: Diagnosis, applied: boolean): string {
  if (healthy) return `The data in ${directory} is sound; nothing was changed.`;
  if (applied) return `The data in ${directory} was repaired; the audit log says how (state.recovered).`;
  return recoverable
    ? `The data in ${directory} is damaged and can be repaired at a cost; nothing was changed.`
    : `The data in ${directory} is damaged and cannot be repaired from itself; nothing was changed.`;
}

function findingLines({ file, ok, detail, remedy }: Finding): string[] {
  const lines = [`  ${ok ? "ok " : "bad"}  ${file}: ${detail}`];
  if (remedy !== undefined) lines.push(`       repair (${remedy.name}): ${remedy.effect}`);
  return lines;
}
