import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { ask } from "./ask.ts";
import { verifyAudit } from "./audit-verify.ts";
import { freshDirectory } from "./driver/directories.ts";
import { dataFiles, newestFixture } from "./fixtures.ts";
import { gatehouse, runServer, startServer, testWithControl as test } from "./server-under-test.ts";

/** Contract 2.5: the four files, who may write them, and what happens when one of them is not what it was. */
const fixture = newestFixture();

describe("Persistent data files", () => {
  test("`state.json`, `state.json.audit-wal`, `logs.db` and `master.key` are there after the first boot, readable by nobody else", async () => {
    const dataDir = join(freshDirectory(), "not", "there", "yet");
    const server = await startServer({ dataDir });
    for (const name of dataFiles) expect(modeOf(join(dataDir, name)), name).toBe("600");
    expect(modeOf(dataDir)).toBe("700");
    await server.stop();
    for (const name of dataFiles) expect(modeOf(join(dataDir, name)), name).toBe("600");
  });

  test("`state.json` main state file: after a stop it holds the whole state as JSON", async () => {
    const dataDir = fixture.copy();
    await (await startServer({ dataDir })).stop();
    const state = readState(dataDir);
    expect(state).toMatchObject({ seq: expect.any(Number), records: expect.any(Array) });
    expect(state.records.map(({ key }) => key)).toContain("plugin-kv/fixture@21");
  });

  test("`state.json.audit-wal` audit write-ahead log: it holds what the state does not hold yet", async () => {
    const dataDir = fixture.copy();
    const log = readFileSync(join(dataDir, "state.json.audit-wal"), "utf8");
    expect(log).toContain('"action":"fixture.changed"');
    const plugin = `plugin/${fixture.plugin?.id}`;
    expect(log).toContain(`"key":"${plugin}"`);
    const before = readState(dataDir);
    expect(before.seq).toBeLessThan(fixture.head.position);
    expect(before.records.map(({ key }) => key)).not.toContain(plugin);
    await (await startServer({ dataDir })).stop();
    const after = readState(dataDir);
    expect(after.seq).toBeGreaterThanOrEqual(fixture.head.position);
    expect(after.records.map(({ key }) => key)).toContain(plugin);
    await expectWhole(dataDir);
  });

  test("`logs.db` log database: a file of SQLite", async () => {
    const server = await startServer();
    const magic = readFileSync(join(server.dataDir, "logs.db")).subarray(0, 15).toString("latin1");
    expect(magic).toBe("SQLite format 3");
  });
});

describe("`master.key` master encryption key", () => {
  test("created automatically at first boot, and kept from then on", async () => {
    const dataDir = join(freshDirectory(), "data");
    await (await startServer({ dataDir })).stop();
    const first = readFileSync(join(dataDir, "master.key"), "utf8");
    expect(first).toMatch(/^[0-9a-f]{64}\n$/);
    await (await startServer({ dataDir })).stop();
    expect(readFileSync(join(dataDir, "master.key"), "utf8")).toBe(first);
    const other = await startServer();
    expect(readFileSync(join(other.dataDir, "master.key"), "utf8")).not.toBe(first);
  });

  test("losing it makes encrypted secrets unrecoverable: the start is refused, and no new key takes its place", async () => {
    const dataDir = fixture.copy();
    rmSync(join(dataDir, "master.key"));
    await expectRefusal(dataDir, /master\.key is missing.*[Rr]estore master\.key/);
    expect(existsSync(join(dataDir, "master.key"))).toBe(false);
    const repair = await gatehouse(["state", "recover", "--data-dir", dataDir, "--apply"]);
    expect(repair.code).toBe(1);
    expect(`${repair.out}${repair.err}`).toMatch(/only a backup helps/);
    expect(existsSync(join(dataDir, "master.key"))).toBe(false);
  });

  test("the key of another server is refused by name", async () => {
    const dataDir = fixture.copy();
    writeFileSync(join(dataDir, "master.key"), `${"5a".repeat(32)}\n`, { mode: 0o600 });
    await expectRefusal(dataDir, /another master key/);
  });
});

describe("These four are backed up together", () => {
  test("the four files of one moment are a whole server", async () => {
    const dataDir = fixture.copy();
    await (await startServer({ dataDir })).stop();
    const restored = freshDirectory();
    for (const name of dataFiles) copyFileSync(join(dataDir, name), join(restored, name));
    const server = await startServer({ dataDir: restored });
    expect((await ask(server.baseUrl, "/api/ready")).json).toMatchObject({ status: "ready", checks: { store: "ok" } });
    await server.stop();
    await expectWhole(restored);
  });

  for (const name of dataFiles) {
    test(`without ${name} the start is refused`, async () => {
      const dataDir = fixture.copy();
      rmSync(join(dataDir, name));
      await expectRefusal(dataDir, /backup/);
    });
  }

  for (const name of ["state.json", "state.json.audit-wal", "logs.db"] as const) {
    test(`with a ${name} of an earlier moment the start is refused`, async () => {
      const dataDir = fixture.copy();
      const earlier = copyAside(dataDir);
      // A repair is an audited change, so afterwards the files are of a later moment.
      edit(dataDir);
      expect((await gatehouse(["state", "recover", "--data-dir", dataDir, "--apply"])).code).toBe(0);
      await (await startServer({ dataDir })).stop();
      copyFileSync(join(earlier, name), join(dataDir, name));
      await expectRefusal(dataDir, /gatehouse state recover/);
    });
  }
});

describe("Lifecycle records must not be edited directly in the state store; only the audited API may change them", () => {
  test("a state.json edited by hand refuses the start and names the recovery verb", async () => {
    const dataDir = fixture.copy();
    edit(dataDir);
    const edited = readFileSync(join(dataDir, "state.json"), "utf8");
    await expectRefusal(dataDir, /state\.json.*`gatehouse state recover --data-dir DIR`/);
    expect(readFileSync(join(dataDir, "state.json"), "utf8")).toBe(edited);
  });

  test("so does an edit that keeps the meaning, and one in a state without records", async () => {
    const spaced = fixture.copy();
    edit(spaced, '"version":', '"version": ');
    await expectRefusal(spaced, /gatehouse state recover/);
    const fresh = await startServer();
    await fresh.stop();
    edit(fresh.dataDir, '"seq":', '"seq":1');
    await expectRefusal(fresh.dataDir, /state\.json/);
  });

  test("an audit log edited by hand refuses the start, and `gatehouse audit verify` names the position", async () => {
    const dataDir = fixture.copy();
    edit(dataDir, '"subject":"fixture/20"', '"subject":"fixture/02"', "state.json.audit-wal");
    await expectRefusal(dataDir, /state\.json\.audit-wal.*gatehouse state recover/);
    const { code, out, err } = await gatehouse(["audit", "verify", "--data-dir", dataDir]);
    expect(code).toBe(1);
    expect(`${out}${err}`).toMatch(/position 4\d/);
  });

  test("`gatehouse state recover` first only says what it would do; with --apply the server starts again and the log tells of it", async () => {
    const dataDir = fixture.copy();
    edit(dataDir);
    const edited = readFileSync(join(dataDir, "state.json"), "utf8");
    const look = await gatehouse(["state", "recover", "--data-dir", dataDir]);
    expect(look.code).toBe(1);
    expect(look.out).toContain("nothing was changed");
    expect(readFileSync(join(dataDir, "state.json"), "utf8")).toBe(edited);
    expect((await gatehouse(["state", "recover", "--data-dir", dataDir, "--apply"])).code).toBe(0);
    // One record more than before: who recovered what.
    expect(await verifyAudit(dataDir)).toMatchObject({ ok: true, records: fixture.records + 1 });
    expect(readFileSync(join(dataDir, "logs.db")).includes("state.recovered")).toBe(true);
    const server = await startServer({ dataDir });
    expect((await ask(server.baseUrl, "/api/health")).status).toBe(200);
  });
});

function readState(dataDir: string): { seq: number; records: { key: string }[] } {
  return JSON.parse(readFileSync(join(dataDir, "state.json"), "utf8")) as ReturnType<typeof readState>;
}

/** What an operator in a hurry does with an editor. */
function edit(
  dataDir: string,
  from = '"publisher":"fixture"',
  to = '"publisher":"another"',
  name = "state.json",
): void {
  const file = join(dataDir, name);
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${name} does not hold ${from}`);
  writeFileSync(file, text.replace(from, to));
}

function copyAside(dataDir: string): string {
  const aside = freshDirectory();
  cpSync(dataDir, aside, { recursive: true });
  return aside;
}

/** Everything that was in the fixture's audit log is still in this one; a start may have added to it. */
async function expectWhole(dataDir: string): Promise<void> {
  const { ok, records } = await verifyAudit(dataDir);
  expect(ok).toBe(true);
  expect(records).toBeGreaterThanOrEqual(fixture.records);
}

async function expectRefusal(dataDir: string, reason: RegExp): Promise<void> {
  const { code, out, err } = await runServer([], { dataDir });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(reason);
  expect(err.split("\n")).toHaveLength(1);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
