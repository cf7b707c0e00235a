import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentPaths } from "../config.ts";
import { rootOwner } from "../host/need-root.ts";
import { readCeiling } from "./read-ceiling.ts";
import { setCeiling, writeDropIn } from "./set-ceiling.ts";

let root: string;
const paths = () => agentPaths(root);
const read = () => readCeiling(paths().ceiling, rootOwner(root));
const set = (...allow: string[]) =>
  setCeiling(
    { paths: paths(), owner: rootOwner(root), reload: async () => undefined },
    { level: allow.length === 0 ? "monitor" : "managed", allow },
  );

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "gatehouse-ceiling-"));
  await mkdir(join(root, "etc/nginx"), { recursive: true });
});

afterEach(() => rm(root, { recursive: true, force: true }));

test("a host without a ceiling allows nothing", () => {
  expect(read()).toEqual({ ceiling: { schema: 1, level: "monitor" }, isWritten: false });
});

test("what is set is for root alone, sorted and each once, and the kernel is told before the helper is ended", async () => {
  let dropIn = "";
  const reload = async () => {
    dropIn = await readFile(paths().helperDropIn, "utf8");
  };
  const allow = ["service.restart:nginx.service", "file.write:/etc/nginx", "file.write:/etc/nginx"];
  await setCeiling({ paths: paths(), owner: rootOwner(root), reload }, { level: "managed", allow });
  expect(read().ceiling).toEqual({
    schema: 1,
    level: "managed",
    allow: ["file.write:/etc/nginx", "service.restart:nginx.service"],
  });
  expect((await stat(paths().ceiling)).mode & 0o777).toBe(0o600);
  expect(dropIn).toContain("ReadWritePaths=-/etc/nginx\n");
});

test("lowering it takes the directories away again", async () => {
  await set("file.write:/etc/nginx");
  await set();
  expect(read().ceiling.level).toBe("monitor");
  expect(await readFile(paths().helperDropIn, "utf8")).not.toContain("nginx");
});

test("what the kernel keeps is made again from a ceiling that was left behind", async () => {
  await set("file.write:/etc/nginx");
  const before = await readFile(paths().helperDropIn, "utf8");
  await rm(join(paths().helperDropIn, ".."), { recursive: true });
  await writeDropIn(paths(), read().ceiling);
  expect(await readFile(paths().helperDropIn, "utf8")).toBe(before);
});

test("what may be read and typed is kept", async () => {
  await mkdir(paths().settings, { recursive: true });
  const text = JSON.stringify({ schema: 1, level: "monitor", read: { logs: ["/var/log/syslog"] } });
  await writeFile(paths().ceiling, text, { mode: 0o600 });
  await set("agent.update");
  expect(read().ceiling).toMatchObject({ level: "managed", read: { logs: ["/var/log/syslog"] } });
});

test("a ceiling that others could read or write is not believed", async () => {
  await set("agent.update");
  await chmod(paths().ceiling, 0o644);
  expect(read).toThrowError(/ceiling\.unsafe.*0644/);
});

test("a link in its place is not followed", async () => {
  await set("agent.update");
  await rm(paths().ceiling);
  await symlink("/etc/hostname", paths().ceiling);
  expect(read).toThrowError(/ceiling\.unsafe/);
});

test("nothing is written when one entry is refused", async () => {
  await expect(set("agent.update", "file.write:/proc/x")).rejects.toThrowError(/ceiling\.protected.*\/proc/);
  await expect(set("agent.update", "file.write:x")).rejects.toThrowError(/ceiling\.malformed/);
  expect(read().isWritten).toBe(false);
});

test("a path that leads over a link is refused with the place it leads to", async () => {
  await symlink("nginx", join(root, "etc/web"));
  await expect(set("file.write:/etc/web/site.conf")).rejects.toThrowError(
    /leads over a link to \/etc\/nginx\/site\.conf/,
  );
});
