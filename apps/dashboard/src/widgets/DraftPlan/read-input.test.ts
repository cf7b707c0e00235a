import { expect, test } from "vitest";
import { readInput } from "./read-input.ts";

test("the input of a plan is JSON, and what is not says in which line to look", () => {
  expect(readInput('{"zones":{}}')).toEqual({ ok: true, value: { zones: {} } });
  expect(readInput("  ")).toEqual({ ok: false, why: "Write what the plan is drawn up from, as JSON." });
  expect(readInput('{\n  "zones": {},\n  oops\n}')).toEqual({ ok: false, why: "This is not JSON: look at line 3." });
  expect(readInput('{"zones":')).toMatchObject({ ok: false, why: expect.stringMatching(/^This is not JSON/) });
});
