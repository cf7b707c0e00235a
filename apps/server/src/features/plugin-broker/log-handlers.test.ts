import { expect, test } from "vitest";
import { setUpBroker } from "./broker-cases.ts";

test("a plugin's words stand in a field of one line, under its id, and are never an error of the server", async () => {
  const { act, lines } = setUpBroker();
  const { ask } = act({}, "plan");
  for (const level of ["debug", "info", "warn", "error"]) await ask("log.write", { level, message: `at ${level}` });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
    [
      ["info", "debug"],
      ["info", "info"],
      ["warn", "warn"],
      ["warn", "error"],
    ].map(([level, severity]) => ({
      level,
      severity,
      message: "plugin says",
      plugin: "netguard",
      action: "plan",
      text: `at ${severity}`,
    })),
  );
});

test("a plugin cannot make a second line, a colour or a turn of the writing direction", async () => {
  const { act, lines } = setUpBroker();
  const hostile = '\n{"level":"error","message":"forged"}\r\u001b[31m\u202e\u2028\0';
  expect(await act().ask("log.write", { level: "info", message: hostile })).toEqual({});
  expect(lines).toHaveLength(1);
  expect(lines[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ plugin: "netguard", text: hostile });
});
