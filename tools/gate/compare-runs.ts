import type { TestResult } from "./test-results.ts";

/** What one suite listed in one run. */
export interface Listed {
  readonly title: string;
  readonly results: readonly TestResult[];
}

/** Where two runs of the same suites differ, test by test: a verdict, a count, a test that only one of them had. */
export function compareRuns(first: readonly Listed[], second: readonly Listed[]): string[] {
  const before = byName(first);
  const after = byName(second);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [tell(before.get(name)), tell(after.get(name))];
    return one === other ? [] : [`${name}: ${one}, then ${other}`];
  });
}

/** Several tests may have one name (the same file asked of two drivers): they are compared as a list. */
function byName(runs: readonly Listed[]): Map<string, TestResult[]> {
  return Map.groupBy(
    runs.flatMap(({ title, results }) => results.map((result) => ({ ...result, name: `${title}: ${result.name}` }))),
    ({ name }) => name,
  );
}

function tell(results: readonly TestResult[] | undefined): string {
  if (results === undefined) return "not there";
  return results
    .map(({ verdict, counts = {} }) => {
      const numbers = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
      return [verdict, ...numbers.toSorted()].join(", ");
    })
    .toSorted()
    .join(" and ");
}
