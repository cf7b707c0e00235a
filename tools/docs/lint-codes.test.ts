import { lintCodes } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { readText } from "../repository.ts";

test("docs/operate/plans.md names every finding of the lint with its severity and its meaning, and no other", () => {
  const [, section = ""] = readText("docs/operate/plans.md").split("## What the lint judges\n");
  const rows = [...section.matchAll(/^\| `([a-z_.]+)` \| (refuse|warn|note) \| (.+) \|$/gm)];
  expect(rows.map(([, code, severity, means]) => ({ code, severity, means }))).toEqual(
    Object.entries(lintCodes).map(([code, { severity, means }]) => ({ code, severity, means })),
  );
});
