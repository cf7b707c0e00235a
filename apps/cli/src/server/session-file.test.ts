import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findSession, forgetSession, type KeptSession, keepSession } from "./session-file.ts";

let base = "";
let deps = { environment: {} as Record<string, string> };
const session: KeptSession = {
  server: "http://127.0.0.1:8088",
  cookie: { name: "gatehouse", value: "v".repeat(43) },
  id: "ses_01jc8w4q2r7v9x3y5z6a8b0c1d",
  username: "ada",
  expiresAt: "2026-11-15T12:00:00.000Z",
};

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "gatehouse-session-"));
  deps = { environment: { XDG_CONFIG_HOME: base } };
});
afterEach(() => rm(base, { recursive: true }));

const directory = () => join(base, "gatehouse");
const file = () => join(directory(), "session.json");
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test("what is kept is found again, and gone when it is forgotten", async () => {
  expect(await findSession(deps)).toBeUndefined();
  expect(await keepSession(deps, session)).toBe(file());
  expect(await findSession(deps)).toEqual(session);
  await forgetSession(deps);
  await forgetSession(deps);
  expect(await findSession(deps)).toBeUndefined();
});

test("only the user can read it, whatever the umask is and however open the directory was", async () => {
  await mkdir(directory(), { mode: 0o755 });
  await chmod(directory(), 0o777);
  await keepSession(deps, session);
  expect([await modeOf(directory()), await modeOf(file())]).toEqual(["700", "600"]);
  expect(await readdir(directory())).toEqual(["session.json"]);
});

test("without XDG_CONFIG_HOME, or with a relative one, it lies below .config", async () => {
  for (const configured of [undefined, "", "relative"]) {
    const environment = { HOME: base, ...(configured === undefined ? {} : { XDG_CONFIG_HOME: configured }) };
    expect(await keepSession({ environment }, session)).toBe(join(base, ".config/gatehouse/session.json"));
  }
});

test("it is never read through a link, and a link in its place is replaced, not followed", async () => {
  const elsewhere = join(base, "elsewhere");
  await keepSession(deps, session);
  await writeFile(elsewhere, await readFile(file()), { mode: 0o600 });
  await rm(file());
  await symlink(elsewhere, file());
  await expect(findSession(deps)).rejects.toMatchObject({
    code: "cli.session_file_unusable",
    detail: expect.stringContaining("is a link"),
  });
  await writeFile(elsewhere, "untouched");
  await keepSession(deps, session);
  expect((await lstat(file())).isFile()).toBe(true);
  expect(await readFile(elsewhere, "utf8")).toBe("untouched");
});

test("it is never written into a directory that is a link", async () => {
  await mkdir(join(base, "other"));
  await symlink(join(base, "other"), directory());
  await expect(keepSession(deps, session)).rejects.toMatchObject({ code: "cli.session_file_unusable" });
  expect(await readdir(join(base, "other"))).toEqual([]);
});

test("a file that others may read or write is refused", async () => {
  await keepSession(deps, session);
  for (const mode of [0o640, 0o604, 0o620, 0o602]) {
    await chmod(file(), mode);
    await expect(findSession(deps)).rejects.toMatchObject({ detail: expect.stringContaining("its mode must be 0600") });
  }
});

test("a pipe or a directory in its place is refused without waiting", async () => {
  await mkdir(directory());
  execFileSync("mkfifo", ["-m", "600", file()]);
  await expect(findSession(deps)).rejects.toMatchObject({ detail: expect.stringContaining("is not a regular file") });
  await rm(file());
  await mkdir(file());
  await expect(findSession(deps)).rejects.toMatchObject({ code: "cli.session_file_unusable" });
  await expect(keepSession(deps, session)).rejects.toMatchObject({ code: "cli.session_file_unusable" });
  expect(await readdir(directory())).toEqual(["session.json"]);
});

test.each([
  ["nothing", ""],
  ["no JSON", "{"],
  ["null", "null"],
  ["a part only", JSON.stringify({ ...session, id: undefined })],
  ["a cookie of another name", JSON.stringify({ ...session, cookie: { name: "other", value: "x" } })],
  ["a cookie that would be two", JSON.stringify({ ...session, cookie: { name: "gatehouse", value: "x; y=z" } })],
  ["a cookie with a line end", JSON.stringify({ ...session, cookie: { name: "gatehouse", value: "x\r\nA: b" } })],
  ["a number for a text", JSON.stringify({ ...session, expiresAt: 7 })],
  ["far too much", `${" ".repeat(20_000)}{}`],
])("%s in it is refused", async (_, text) => {
  await mkdir(directory(), { mode: 0o700 });
  await writeFile(file(), text, { mode: 0o600 });
  await expect(findSession(deps)).rejects.toMatchObject({ code: "cli.session_file_unusable" });
});
