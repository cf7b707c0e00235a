import type { JsonObject } from "@gatehouse/base";
import { count, type Report } from "@gatehouse/command-line";
import type { Finding } from "./finding.ts";

const marks = { good: "ok", note: "note", bad: "BAD" } as const;

/** What was found, the worst of it in the first line. */
export function doctorReport(findings: readonly Finding[]): Report {
  const wrong = findings.filter(({ verdict }) => verdict === "bad");
  const width = Math.max(...findings.map(({ name }) => name.length));
  return {
    ok: wrong.length === 0,
    lines: [
      wrong.length === 0 ? "Nothing keeps the agent from working." : `${count(wrong.length, "thing")} to mend.`,
      ...findings.flatMap(({ name, verdict, found, todo }) => [
        `  ${marks[verdict].padEnd(4)}  ${name.padEnd(width)}  ${found}`,
        ...(todo === "" ? [] : [`  ${" ".repeat(width + 8)}${todo}`]),
      ]),
    ],
    json: { findings: findings as unknown as JsonObject[] },
  };
}
