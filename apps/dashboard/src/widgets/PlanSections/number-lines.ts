import type { PlanSectionView } from "@gatehouse/contract/routes";
import type { DiffLine } from "../../ui/Diff.tsx";

type PlanLines = PlanSectionView["operations"][number]["diff"];

/** Unchanged lines that stay on each side of a change, and as many as are worth a line that says how many they are. */
const around = 3;
const leastFolded = 4;

/** Lines of a plan with their numbers before and after. `isWhole` keeps long runs that do not change. */
export function numberLines(lines: PlanLines, isWhole: boolean): readonly DiffLine[] {
  let [before, after] = [0, 0];
  const numbered = lines.map(({ mark, text }): DiffLine => {
    if (mark !== "added") before += 1;
    if (mark !== "removed") after += 1;
    if (mark === "added") return { kind: "add", text, after };
    return mark === "removed" ? { kind: "del", text, before } : { kind: "same", text, before, after };
  });
  return isWhole ? numbered : fold(numbered);
}

/** Whether `numberLines` would leave lines out. */
export function isFolded(lines: PlanLines): boolean {
  return numberLines(lines, false).some(({ kind }) => kind === "hunk");
}

function fold(lines: readonly DiffLine[]): readonly DiffLine[] {
  const shown: DiffLine[] = [];
  for (let at = 0; at < lines.length; ) {
    const run = runAt(lines, at);
    const keepBefore = at === 0 ? 0 : around;
    const keepAfter = at + run === lines.length ? 0 : around;
    const left = run - keepBefore - keepAfter;
    if (left >= leastFolded) {
      shown.push(...lines.slice(at, at + keepBefore));
      shown.push({ kind: "hunk", text: `${left.toLocaleString("en-GB")} lines unchanged` });
      shown.push(...lines.slice(at + run - keepAfter, at + run));
    } else {
      shown.push(...lines.slice(at, at + Math.max(run, 1)));
    }
    at += Math.max(run, 1);
  }
  return shown;
}

/** How many lines from here on do not change. */
function runAt(lines: readonly DiffLine[], from: number): number {
  let end = from;
  while (lines[end]?.kind === "same") end += 1;
  return end - from;
}
