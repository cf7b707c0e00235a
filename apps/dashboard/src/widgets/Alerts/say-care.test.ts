import { expect, test } from "vitest";
import { sampleAlert } from "./sample-alert.ts";
import { alertStateOf, sayCare } from "./say-care.ts";

const now = Date.UTC(2026, 10, 17, 3, 12);
const nameOf = (actor: string): string => (actor === "usr_1" ? "You" : actor);

test("a name counts for more than a silence, and both are said", () => {
  const acknowledged = { by: "usr_1", name: "ruth", at: "2026-11-17T03:01:00.000Z", note: null };
  const silencedUntil = "2026-11-17T06:00:00.000Z";
  expect(alertStateOf(sampleAlert())).toBe("unacknowledged");
  expect(alertStateOf(sampleAlert({ silencedUntil }))).toBe("silenced");
  expect(alertStateOf(sampleAlert({ silencedUntil, acknowledged }))).toBe("acknowledged");
  expect(sayCare(sampleAlert({ silencedUntil, acknowledged }), nameOf, now)).toMatch(
    /^Acknowledged by you at \d\d:01\. Silenced until \d\d:00\.$/,
  );
  expect(sayCare(sampleAlert(), nameOf, now)).toBe("");
  const byOther = { ...acknowledged, by: "usr_2", name: "ines" };
  expect(sayCare(sampleAlert({ acknowledged: byOther }), nameOf, now)).toMatch(/by ines at/);
  expect(sayCare(sampleAlert({ acknowledged: { ...byOther, name: null } }), nameOf, now)).toMatch(/by usr_2 at/);
});
