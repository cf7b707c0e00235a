import { expect, test } from "vitest";
import { cannotRestore, endOfSample, RestoredHost, hostBefore, paths, sampleParts } from "../../test/restored-host.ts";
import { playChange } from "../../test/play-change.ts";
import { bootHost } from "./boot-host.ts";
import { sampleTask } from "./journal-cases.ts";

async function rebootedAt(state: "checking" | "confirmed"): Promise<RestoredHost> {
  const host = new RestoredHost();
  await playChange(host, state);
  return host.rebooted(host.vfs, host.vfs.ops);
}

test("what was open is put back, then confirmed tables are loaded, and systemd is not asked", async () => {
  const host = await rebootedAt("checking");
  expect(await bootHost(host.deps)).toMatchObject({
    ok: true,
    lines: [`The change ${sampleTask} has ended: rolled_back.`],
  });
  expect(host.now()).toEqual(hostBefore);
  expect(host.ran).toEqual([]);
});

test("what was confirmed is kept before tables are loaded", async () => {
  const host = await rebootedAt("confirmed");
  expect((await bootHost(host.deps)).ok).toBe(true);
  expect(host.now()[sampleParts.table]).toBe("drop");
  expect(await endOfSample(host)).toMatchObject({ outcome: "applied" });
});

test("a host without changes has its tables, and nothing to say", async () => {
  const host = new RestoredHost({ parts: {} });
  expect(await bootHost(host.deps)).toEqual({
    ok: true,
    lines: ["No change was open."],
    json: { changes: [], damage: null, flaws: [] },
  });
  expect(host.now()).toEqual({ [sampleParts.table]: "accept" });
});

test("what fails is told, and keeps nothing else from being done", async () => {
  const host = await rebootedAt("checking");
  host.before.restore = cannotRestore;
  host.unloadable = [{ name: "x.nft", why: "syntax error" }];
  expect(await bootHost(host.deps)).toMatchObject({
    ok: false,
    lines: ["restore.failed: nft ended with 1", "x.nft could not be loaded: syntax error"],
  });
  expect(host.now()[sampleParts.table]).toBe("accept");
});

test("a table that cannot be loaded fails the boot of a host that is sound otherwise", async () => {
  const host = new RestoredHost();
  host.unloadable = [{ name: "x.nft", why: "syntax error" }];
  expect(await bootHost(host.deps)).toMatchObject({
    ok: false,
    lines: ["x.nft could not be loaded: syntax error", "No change was open."],
  });
  const loadKept = () => Promise.reject(new Error("EIO"));
  const { deps } = host;
  expect(await bootHost({ ...deps, host: { ...deps.host, loadKept } })).toMatchObject({
    ok: false,
    lines: ["EIO", "No change was open."],
  });
});

test("a damaged journal fails the boot, and the host is put back all the same", async () => {
  const host = await rebootedAt("checking");
  const mark = await host.vfs.open(`${paths.journal}/mark`, "write");
  await mark.truncate(0);
  const { ok, lines } = await bootHost(host.deps);
  expect(ok).toBe(false);
  expect(lines.at(-1)).toMatch(/^journal\.unsound/);
  expect(host.now()).toEqual(hostBefore);
});
