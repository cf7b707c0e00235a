import { expect, test } from "vitest";
import { answering } from "../../test/no-terminal.ts";
import { askNewPassword } from "./new-password.ts";
import { openPasswordSource } from "./password-source.ts";

test("typed passwords are asked for one by one", async () => {
  const terminal = answering("one", "two");
  const passwords = openPasswordSource(terminal, false, 2);
  expect([await passwords.next("First: "), await passwords.next("Second: ")]).toEqual(["one", "two"]);
  expect(terminal.questions).toEqual(["First: ", "Second: "]);
});

test("nothing typed is no password", async () => {
  await expect(openPasswordSource(answering(""), false, 1).next("?")).rejects.toMatchObject({ code: "cli.cancelled" });
});

test.each([
  ["with a line feed at the end", "one\ntwo\n"],
  ["without", "one\ntwo"],
  ["as Windows writes lines", "one\r\ntwo\r\n"],
])("piped passwords are lines, %s", async (_, input) => {
  const terminal = answering(input);
  const passwords = openPasswordSource(terminal, true, 2);
  expect([await passwords.next(""), await passwords.next("")]).toEqual(["one", "two"]);
  expect(terminal.questions).toEqual(["standard input"]);
});

test("blanks belong to a password", async () => {
  expect(await openPasswordSource(answering(" a b \n"), true, 1).next("")).toBe(" a b ");
});

test.each([
  ["too few lines", "one\n", 2, 2, "too few lines"],
  ["too many lines", "one\ntwo\n", 1, 1, "2 lines; at most 1"],
  ["an empty line", "\n", 1, 1, "empty line"],
  ["nothing", "", 1, 1, "empty line"],
])("%s: refused", async (_, input, most, asked, problem) => {
  const passwords = openPasswordSource(answering(input), true, most);
  const ask = async () => {
    for (let i = 0; i < asked; i += 1) await passwords.next("");
  };
  await expect(ask()).rejects.toThrow(problem);
});

test("standard input is not read before a password is needed", () => {
  const terminal = answering();
  openPasswordSource(terminal, true, 1);
  expect(terminal.questions).toEqual([]);
});

const good = "wooden bridges in autumn";

test("a new password is asked for twice when it is typed, once when it is piped", async () => {
  expect(await askNewPassword(openPasswordSource(answering(good, good), false, 2), "ada")).toBe(good);
  expect(await askNewPassword(openPasswordSource(answering(`${good}\n`), true, 1), "ada")).toBe(good);
});

test("two new passwords that differ, and a bad one, are refused before anything is sent", async () => {
  const differing = openPasswordSource(answering(good, `${good}.`), false, 2);
  await expect(askNewPassword(differing, "ada")).rejects.toMatchObject({ code: "auth.password_unacceptable" });
  const short = answering("short");
  await expect(askNewPassword(openPasswordSource(short, false, 2), "ada")).rejects.toThrow("at least 12 characters");
  expect(short.questions).toHaveLength(1);
});
