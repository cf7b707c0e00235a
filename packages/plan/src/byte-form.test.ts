import { expect, test } from "vitest";
import { parsePlan, parsePlanInTurns, serialisePlan } from "./byte-form.ts";
import { finishPlan } from "./plan-document.ts";

test("a plan is read alike where others have their turn between its steps", async () => {
  const sections = [
    { node: `node_${"0".repeat(26)}`, operations: [{ kind: "service.restart" as const, unit: "nginx.service" }] },
  ];
  const written = serialisePlan(finishPlan({ title: "t", summary: "s", sections }, { from: "person" }, () => "absent"));
  let turns = 0;
  const othersTurn = () => Promise.resolve(void (turns += 1));
  expect(parsePlan(written)).toMatchObject({ ok: true });
  expect(await parsePlanInTurns(written, othersTurn)).toEqual(parsePlan(written));
  expect(turns).toBe(2);
  const other = new TextEncoder().encode(new TextDecoder().decode(written).replaceAll("\n", "\r\n"));
  expect(parsePlan(other)).toMatchObject({ ok: false });
  expect(await parsePlanInTurns(other, othersTurn)).toEqual(parsePlan(other));
});
