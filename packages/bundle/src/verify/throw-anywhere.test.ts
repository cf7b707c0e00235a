import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { childEnvironment } from "../../../../tests/support/child-environment.ts";

interface Report {
  points: number;
  loading: number;
  tried: number;
  untried: string[];
  runs: number;
  good: number;
  acceptedInPeace: number;
  judgedInPeace: number;
  accepted: string[];
  refused: number;
  threwIn: string[];
  policies: { steps: number; swallowed: number };
}

test("an error thrown anywhere in the verifier never yields a trusted verdict", async () => {
  const program = join(import.meta.dirname, "throw-anywhere-cases.ts");
  const args = ["--disable-warning=ExperimentalWarning", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: childEnvironment(),
    maxBuffer: 16 * 1024 * 1024,
  });
  const report = JSON.parse(stdout) as Report;
  console.log(
    `fault points: ${report.points} in the verifier, ${report.tried} thrown at and ${report.loading} passed while loading; ${report.runs} verdicts, ${report.refused} refused, ${report.accepted.length} accepted with an error`,
  );

  // In peace the good bundles are accepted and the others are not, so the planted points change nothing by themselves.
  expect(report.good).toBeGreaterThan(5);
  expect(report.acceptedInPeace).toBe(report.good);
  expect(report.judgedInPeace).toBeGreaterThan(100);

  expect(report.accepted).toEqual([]);
  // Only the line that calls everything else can let an error out; it cannot guard itself.
  expect(report.threwIn.filter((place) => place !== "judge-bundle.ts: openAndVerify(input)")).toEqual([]);
  expect(report.policies.steps).toBeGreaterThan(100);
  expect(report.policies.swallowed).toBe(0);

  expect(report.points).toBeGreaterThan(900);
  expect((report.tried + report.loading) / report.points, report.untried.join(", ")).toBeGreaterThan(0.9);
});
