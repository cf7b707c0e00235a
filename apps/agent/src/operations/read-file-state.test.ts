import { createHash } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { expect, onTestFinished, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { findAccount } from "./account-names.ts";
import { readFileState } from "./read-file-state.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a file is told by its hash, its mode and its owners", async () => {
  const { ground, write, host } = makeStateGround();
  write("/etc/web/site.conf", "site\n");
  const state = await readFileState(ground, "/etc/web/site.conf");
  expect(state).toMatchObject({ sha256: sha256("site\n"), mode: "0644" });
  chmodSync(join(host.root, "etc/web/site.conf"), 0o4755);
  expect(await readFileState(ground, "/etc/web/site.conf")).toMatchObject({ mode: "4755" });
});

test("what is not there is null, also when its directory is not", async () => {
  const { ground } = makeStateGround();
  expect(await readFileState(ground, "/etc/none")).toBeNull();
  expect(await readFileState(ground, "/etc/none/at/all")).toBeNull();
});

test("a file that others may not read is told by a key of the host, another for each path", async () => {
  const { ground, write, host } = makeStateGround();
  write("/etc/one", "1234\n", 0o640);
  write("/etc/two", "1234\n", 0o600);
  write("/etc/open", "1234\n");
  const [one, two, open] = await Promise.all(
    ["/etc/one", "/etc/two", "/etc/open"].map((at) => readFileState(ground, at)),
  );
  expect(open).toMatchObject({ sha256: sha256("1234\n") });
  for (const state of [one, two])
    expect(state).toEqual(expect.objectContaining({ hmac: expect.stringMatching(/^[0-9a-f]{64}$/) }));
  expect(JSON.stringify([one, two])).not.toContain(sha256("1234\n"));
  expect(one?.["hmac"]).not.toBe(two?.["hmac"]);
  expect(await readFileState(ground, "/etc/one")).toEqual(one);
  const other = await readFileState({ ...ground, privateKey: new Uint8Array(32).fill(8) }, "/etc/one");
  expect(other?.["hmac"]).not.toBe(one?.["hmac"]);
  write("/etc/locked/open", "1234\n");
  chmodSync(join(host.root, "etc/locked"), 0o750);
  expect(await readFileState(ground, "/etc/locked/open")).toHaveProperty("hmac");
});

test("no link is followed, neither as the file nor on the way to it", async () => {
  const { ground, write, host } = makeStateGround();
  write("/etc/real/secret", "x", 0o600);
  symlinkSync("real/secret", join(host.root, "etc/link"));
  symlinkSync("real", join(host.root, "etc/way"));
  symlinkSync("nowhere", join(host.root, "etc/dangling"));
  for (const path of ["/etc/link", "/etc/way/secret", "/etc/dangling", "/etc/dangling/x"]) {
    await expect(readFileState(ground, path), path).rejects.toThrow(/^path\.symlink/);
  }
});

test("a directory that becomes a link while the file is opened is noticed", async () => {
  const { ground, write, host } = makeStateGround();
  write("/etc/dir/file", "harmless");
  write("/etc/secret/file", "secret");
  const racing = {
    ...ground,
    get root() {
      // Asked for once before every look: the last one is over when the file is opened.
      queueMicrotask(() => {
        try {
          renameSync(join(host.root, "etc/dir"), join(host.root, "etc/was"));
          symlinkSync("secret", join(host.root, "etc/dir"));
        } catch {
          // It is done once.
        }
      });
      return host.root;
    },
  };
  await expect(readFileState(racing, "/etc/dir/file")).rejects.toThrow(/^(state\.unreadable|path\.symlink)/);
});

test("only a regular file with one name is read", async () => {
  const { ground, write, host } = makeStateGround();
  const at = (name: string) => join(host.root, name);
  mkdirSync(at("etc/directory"));
  write("/etc/first", "x");
  linkSync(at("etc/first"), at("etc/second"));
  const server = createServer().listen(at("etc/socket"));
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  for (const path of ["/etc/directory", "/etc/first", "/etc/second", "/etc/socket", "/etc/socket/x"]) {
    await expect(readFileState(ground, path), path).rejects.toThrow(/^path\.kind/);
  }
});

test("a file above its limit is not read, and a question that had its time ends", async () => {
  const { ground, write, host } = makeStateGround();
  write("/etc/large", "");
  truncateSync(join(host.root, "etc/large"), 64 * 1024 * 1024 + 1);
  await expect(readFileState(ground, "/etc/large")).rejects.toThrow(/^read\.limit/);
  write("/etc/small", "x");
  const checkTime = () => {
    throw fault("read.limit", "too long");
  };
  await expect(readFileState({ ...ground, checkTime }, "/etc/small")).rejects.toThrow(/^read\.limit/);
});

test("where the helper's unit has directories of its own, nothing is told of the host's", async () => {
  const { ground } = makeStateGround();
  for (const path of ["/tmp/x", "/var/tmp/x", "/tmp"]) {
    await expect(readFileState(ground, path), path).rejects.toThrow(/^state\.unreadable/);
  }
});

test("a host without a list of accounts has numbers, and one whose list cannot be read says so", async () => {
  const { ground, write, host } = makeStateGround();
  write("/etc/web", "x");
  for (const list of ["etc/passwd", "etc/group"]) rmSync(join(host.root, list));
  const { owner, group } = (await readFileState(ground, "/etc/web")) ?? {};
  expect([owner, group]).toEqual([String(process.getuid?.()), String(process.getgid?.())]);
  mkdirSync(join(host.root, "etc/passwd"));
  await expect(readFileState(ground, "/etc/web")).rejects.toThrow("EISDIR");
});

test("owners have the names of the host's own files, and numbers where a plan could not name them", () => {
  const text = "root:x:0:0::/:\nweb-1:x:1007:1::/:\nBad$:x:1008:1::/:\nagain:x:1007:1::/:\n";
  expect([0, 1007, 1008, 1009].map((id) => findAccount(text, id))).toEqual(["root", "web-1", undefined, undefined]);
});
