import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { afterEach, beforeEach, expect, test } from "vitest";
import { agentPaths } from "../config.ts";
import { rootOwner } from "../host/need-root.ts";
import { findAccepts, readCeiling } from "./read-ceiling.ts";
import { openedDirectories, type SetCeilingDeps, setCeiling, type WantedCeiling, writeDropIn } from "./set-ceiling.ts";

let root: string;
const paths = () => agentPaths(root);
const read = () => readCeiling(paths().ceiling, rootOwner(root));
const set = (...allow: string[]) =>
  setCeiling(
    { paths: paths(), owner: rootOwner(root), reload: async () => undefined },
    { level: allow.length === 0 ? "monitor" : "managed", allow },
  );

const setMore = (wanted: Partial<WantedCeiling>, more: Partial<SetCeilingDeps> = {}) =>
  setCeiling(
    { paths: paths(), owner: rootOwner(root), reload: async () => undefined, ...more },
    { level: "managed", allow: ["agent.update"], ...wanted },
  );

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "gatehouse-ceiling-"));
  await mkdir(join(root, "etc/nginx"), { recursive: true });
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** What the helper and the program that puts files back at boot may write to: the same, or a boot could not take back a change. */
async function dropInOfBoth(): Promise<string> {
  const helper = await readFile(paths().helperDropIn, "utf8");
  expect(await readFile(paths().bootDropIn, "utf8")).toBe(helper);
  return helper;
}

test("a host without a ceiling allows nothing", () => {
  expect(read()).toEqual({ ceiling: { schema: 1, level: "monitor" }, isWritten: false });
});

test("what is set is for root alone, sorted and each once, and the kernel is told before the helper is ended", async () => {
  let dropIn = "";
  const reload = async () => {
    dropIn = await dropInOfBoth();
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
  expect(await dropInOfBoth()).not.toContain("nginx");
});

test("what the kernel keeps is made again from a ceiling that was left behind", async () => {
  await set("file.write:/etc/nginx");
  const before = await dropInOfBoth();
  for (const path of [paths().helperDropIn, paths().bootDropIn]) await rm(join(path, ".."), { recursive: true });
  await writeDropIn(paths(), read().ceiling);
  expect(await dropInOfBoth()).toBe(before);
});

test("systemd finds it beside the unit of the helper and beside that of the boot, and may read it", async () => {
  await set("file.write:/etc/nginx");
  for (const unit of ["gatehouse-helper.service", "gatehouse-boot.service"]) {
    const path = join(root, `etc/systemd/system/${unit}.d/50-ceiling.conf`);
    expect(await readFile(path, "utf8")).toContain("ReadWritePaths=-/etc/nginx\n");
    expect((await stat(path)).mode & 0o777).toBe(0o644);
  }
});

test("what may be read and typed is kept", async () => {
  await mkdir(paths().settings, { recursive: true });
  const terminal = { user: "ada", modes: ["e2e"], graceSeconds: 60, sessions: 1 };
  const text = JSON.stringify({ schema: 1, level: "monitor", read: { logs: ["/var/log/syslog"] }, terminal });
  await writeFile(paths().ceiling, text, { mode: 0o600 });
  await set("agent.update");
  expect(read().ceiling).toMatchObject({ level: "managed", read: { logs: ["/var/log/syslog"] }, terminal });
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

test("whose word counts and what stays open are kept until something else is said", async () => {
  await setMore({ accepts: "signed", keep: ["tcp/22:::/0", "tcp/22:192.0.2.0/24", "tcp/22:::/0"] });
  const said = { accepts: "signed", keep: ["tcp/22:192.0.2.0/24", "tcp/22:::/0"] };
  expect(await setMore({ allow: ["file.write:/etc/nginx"] })).toMatchObject({
    allow: ["file.write:/etc/nginx"],
    ...said,
  });
  expect(await setMore({ accepts: "server" })).toMatchObject({ ...said, accepts: "server" });
  expect(await setMore({ keep: ["tcp/2222:::/0"] })).toMatchObject({ accepts: "server", keep: ["tcp/2222:::/0"] });
});

test("a host that was lowered takes nobody's word, also when it is raised again", async () => {
  await setMore({ accepts: "signed", keep: ["tcp/22:::/0"] });
  expect(await set()).toEqual({ schema: 1, level: "monitor" });
  expect(await set("agent.update")).toEqual({ schema: 1, level: "managed", allow: ["agent.update"] });
});

test("a ceiling that is damaged gives nothing on", async () => {
  await setMore({ accepts: "server" });
  await chmod(paths().ceiling, 0o666);
  expect(await setMore({})).toEqual({ schema: 1, level: "managed", allow: ["agent.update"] });
});

test("approvers are named when all else is right, and before the ceiling that takes their word", async () => {
  const seen: boolean[] = [];
  const nameApprovers = async () => void seen.push(read().isWritten);
  await setMore({ accepts: "signed" }, { nameApprovers });
  expect(seen).toEqual([false]);
  await expect(setMore({ allow: ["file.write:x"] }, { nameApprovers })).rejects.toThrowError(/ceiling\.malformed/);
  await expect(setMore({ keep: ["tcp/22"] }, { nameApprovers })).rejects.toThrowError(/ceiling\.malformed.*keep/);
  expect(seen).toEqual([false]);
});

test("nothing is written when root does not confirm the approvers", async () => {
  const nameApprovers = () => Promise.reject(fault("trust.fingerprint", "wrong"));
  await expect(setMore({ accepts: "signed" }, { nameApprovers })).rejects.toThrowError(/trust\.fingerprint/);
  expect(read().isWritten).toBe(false);
});

test("whose word counts can be asked for without believing a damaged ceiling", async () => {
  const accepts = () => findAccepts({ paths: paths(), owner: rootOwner(root) });
  expect(accepts()).toBe("none");
  await setMore({ accepts: "server" });
  expect(accepts()).toBe("server");
  await chmod(paths().ceiling, 0o644);
  expect(accepts()).toBe("none");
  expect(() => findAccepts({ paths: undefined as never, owner: 0 })).toThrowError(TypeError);
  const hidden = {
    get ceiling(): string {
      throw fault("host.not_root", "it can be read by root alone");
    },
  };
  expect(findAccepts({ paths: hidden, owner: 0 })).toBeNull();
});

test("the directories that the kernel leaves open are told as the host has them now", async () => {
  const ceiling = await set("file.write:/etc/nginx", "file.write:/srv/site/a.conf");
  expect(openedDirectories(paths(), ceiling)).toEqual(["/etc/nginx", "/srv/site"]);
});

test("a path over a file is not a path, and is no reason to guess", async () => {
  await writeFile(join(root, "etc/motd"), "");
  await expect(set("file.write:/etc/motd/x")).rejects.toThrowError(/ENOTDIR/);
});

test("a link to the root itself is seen, and so is where a path leads on the real host", async () => {
  await symlink("..", join(root, "etc/up"));
  await expect(set("file.write:/etc/up")).rejects.toThrowError(/leads over a link to \/;/);
  const real = { ...paths(), root: "/" };
  const ceiling = await setMore({ allow: ["file.write:/etc"] }, { paths: real });
  expect(ceiling).toMatchObject({ allow: ["file.write:/etc"] });
});

test("the logs that may be read are kept until something else is said, and can be taken away", async () => {
  const logs = ["nginx.service", "/var/log/nginx", "nginx.service"];
  const said = { read: { logs: ["/var/log/nginx", "nginx.service"] } };
  expect(await setMore({ readLogs: logs })).toMatchObject(said);
  expect(await setMore({})).toMatchObject(said);
  expect(await set(), "a host that takes no plan lets none of them be read").toMatchObject(said);
  expect(await setMore({ readLogs: [] })).not.toHaveProperty("read");
});

test.each([
  ["/var/lib/gatehouse", /ceiling\.protected.*\/var\/lib\/gatehouse/],
  ["/etc/gatehouse/trust.json", /ceiling\.protected/],
  ["/proc/kmsg", /ceiling\.protected/],
  ["nginx", /ceiling\.malformed/],
  ["/var/log/../lib", /ceiling\.malformed/],
  ["/etc/web/error.log", /leads over a link to \/etc\/nginx\/error\.log/],
])("%s is no log that may be read, and nothing is written", async (log, refusal) => {
  await symlink("nginx", join(root, "etc/web"));
  await expect(setMore({ readLogs: ["/var/log/syslog", log] })).rejects.toThrowError(refusal);
  expect(read().isWritten).toBe(false);
});

test("the logs that are sent are kept at every level until something else is said, and can be taken away", async () => {
  const sendLogs = ["nginx.service", "/var/log/nginx/error.log", "nginx.service"];
  const said = { send: { logs: ["/var/log/nginx/error.log", "nginx.service"] } };
  expect(await setMore({ level: "monitor", allow: [], sendLogs })).toEqual({ schema: 1, level: "monitor", ...said });
  expect(await setMore({ readLogs: ["/var/log"] }), "beside what plans may read").toMatchObject({
    ...said,
    read: { logs: ["/var/log"] },
  });
  expect(await set()).toMatchObject(said);
  expect(await setMore({ sendLogs: [] })).not.toHaveProperty("send");
  expect(read().ceiling).toMatchObject({ read: { logs: ["/var/log"] } });
});

test.each([
  ["/var/lib/gatehouse/host.key", /ceiling\.protected.*\/var\/lib\/gatehouse/],
  ["/etc/gatehouse/trust.json", /ceiling\.protected/],
  ["/proc/kmsg", /ceiling\.protected/],
  ["nginx", /ceiling\.malformed/],
  ["ssh.socket", /ceiling\.malformed/],
  ["/var/log/../lib", /ceiling\.malformed/],
  [`/${"a".repeat(120)}`.repeat(5), /ceiling\.malformed/],
  ["/etc/web/error.log", /leads over a link to \/etc\/nginx\/error\.log/],
  ["/etc/nginx", /ceiling\.malformed.*is a directory/],
  ["/tmp/app.log", /ceiling\.malformed.*a \/tmp of its own.*\/var\/log/],
  ["/var/tmp/app/app.log", /ceiling\.malformed.*a \/var\/tmp of its own/],
])("%s is no log that is sent, and nothing is written", async (log, refusal) => {
  await symlink("nginx", join(root, "etc/web"));
  await expect(setMore({ sendLogs: ["/var/log/syslog", log] })).rejects.toThrowError(refusal);
  expect(read().isWritten).toBe(false);
});

test("as many logs are sent as a message can name, and no more", async () => {
  const logs = Array.from({ length: 17 }, (_, at) => `web-${at}.service`);
  await setMore({ sendLogs: logs.slice(1) });
  await expect(setMore({ sendLogs: logs })).rejects.toThrowError(/ceiling\.malformed.*\/send\/logs/);
  expect(read().ceiling.send?.logs).toHaveLength(16);
});

test("a publisher is kept with its path, and the drop-in has the path alone", async () => {
  await set("binary.replace:/opt/tool=acme");
  expect(read().ceiling).toMatchObject({ allow: ["binary.replace:/opt/tool=acme"] });
  expect(await dropInOfBoth()).toContain("ReadWritePaths=-/opt\n");
  await expect(set("binary.replace:/opt/tool=acme", "binary.replace:/opt/tool")).rejects.toThrow(/^ceiling\.malformed/);
  expect(read().ceiling, "what is refused changes nothing").toMatchObject({ allow: ["binary.replace:/opt/tool=acme"] });
});

test("a path with a publisher is judged as every other: protected ones and links are refused", async () => {
  await expect(set("binary.replace:/usr/lib/gatehouse/x=acme")).rejects.toThrow(/^ceiling\.protected/);
  await symlink("nginx", join(root, "etc/other"));
  await expect(set("binary.replace:/etc/other/tool=acme")).rejects.toThrow(/^ceiling\.malformed.*over a link/);
});
