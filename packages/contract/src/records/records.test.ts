import { expect, test } from "vitest";
import { pluginKind, type RecordKind, recordKinds, userKind } from "./index.ts";

test("every kind has a name of its own that a key can begin with", () => {
  const names = recordKinds.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
});

test("every sealed field refuses plain text", () => {
  const sealed = recordKinds.flatMap((kind) => kind.sealed.map((field) => [kind, field] as const));
  expect(sealed.map(([{ name }, field]) => `${name}.${field}`)).toEqual([
    "plugin-kv.sealed",
    "enrolment.macKey",
    "webhook.url",
    "webhook.secret",
    "witness.secret",
  ]);
  for (const [kind, field] of sealed) expect(flawsOf(kind, { [field]: "in the clear" })).toContain(field);
});

test("a key names its kind and its id, and is its text as JSON", () => {
  const key = userKind.key("usr_1");
  expect([key.kind, key.id, key.text]).toEqual([userKind, "usr_1", "user/usr_1"]);
  expect(JSON.stringify({ key })).toBe('{"key":"user/usr_1"}');
});

test("a plugin's record from before 0.1.5 gets a failure that nobody knows of, and keeps the one it has", () => {
  expect(pluginKind.form).toBe(2);
  const [addFailure] = pluginKind.migrations;
  expect(addFailure?.({ id: "netguard" })).toEqual({ id: "netguard", failure: null });
  expect(addFailure?.({ id: "netguard", failure: "it crashed" })).toEqual({ id: "netguard", failure: "it crashed" });
});

function flawsOf({ schema }: RecordKind, value: object): readonly string[] {
  return schema.safeParse(value).error?.issues.map(({ path }) => path.join(".")) ?? [];
}
