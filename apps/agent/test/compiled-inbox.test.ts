import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileAgent } from "../../../tools/build/compile-agent.ts";
import { systemTimers } from "../src/host/timers.ts";
import { openAskHelper } from "../src/local/ask-helper.ts";
import { startCompiledHelper } from "./compiled-parts.ts";
import { partOf, sampleChange } from "./fake-judge.ts";
import { elfOf } from "../../../tests/support/elf-program.ts";
import { makeTaskHost } from "./task-host.ts";

/** The runtime of the compiled agent writes, hashes and removes the files of artifacts; what the sources do under Node says nothing of it. */
const root = resolve(import.meta.dirname, "../../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
let directory: string;
let program: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-inbox-"));
  compileAgent({ root, architecture, out: directory, compress: false });
  program = join(directory, "gatehouse-agent");
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const bytes = elfOf("x64", 2 * channelLimits.pullBytes + 5);
const { sha256, size } = partOf(bytes);
const { task, held } = sampleChange();
const announced = { ...task, parts: { ...task.parts, artifacts: [{ sha256, size }] } };

async function startHelper() {
  const host = await makeTaskHost();
  const { inbox } = host.paths;
  mkdirSync(inbox, { mode: 0o700 });
  writeFileSync(join(inbox, sha256), bytes);
  const begin = async () => (await startCompiledHelper(program, host)).process;
  const ask = openAskHelper({ socket: host.paths.helperSocket, timers: systemTimers });
  const put = (offset: number, piece: Uint8Array) => ask("blob.put", { sha256, offset, bytes: encodeBase64url(piece) });
  const putFrom = (offset: number) => put(offset, bytes.subarray(offset, offset + channelLimits.pullBytes));
  const missing = async () => ((await ask("task.submit", announced))["missing"] as object[]).slice(4);
  return { inbox, begin, ask, put, putFrom, missing };
}

test("an artifact comes whole into a file of root's, and after a refusal it need not come again", async () => {
  const { inbox, begin, ask, putFrom, missing } = await startHelper();
  await begin();
  expect(await missing(), "what an earlier process has left is not believed").toEqual([{ sha256, size }]);
  expect(readdirSync(inbox)).toEqual([]);
  await putFrom(0);
  expect(await missing()).toEqual([{ sha256, size, from: channelLimits.pullBytes }]);
  await putFrom(channelLimits.pullBytes);
  await putFrom(2 * channelLimits.pullBytes);
  expect(statSync(join(inbox, sha256)).mode & 0o777).toBe(0o600);
  for (const [each, part] of held) await ask("blob.put", { sha256: each, offset: 0, bytes: encodeBase64url(part) });
  await expect(ask("task.submit", announced), "the bytes of the other parts are no plan").rejects.toThrow(/^plan\./);
  expect(await missing()).toEqual([]);
  expect(readdirSync(inbox)).toEqual([sha256]);
});

test("other bytes, a gap and what nobody has named are refused by the compiled helper as by the sources", async () => {
  const { inbox, begin, put, putFrom, missing } = await startHelper();
  await begin();
  await expect(putFrom(0)).rejects.toThrow(/^blob\.not_wanted/);
  await missing();
  await expect(putFrom(channelLimits.pullBytes)).rejects.toThrow(/^blob\.size/);
  await putFrom(0);
  await putFrom(channelLimits.pullBytes);
  await expect(put(2 * channelLimits.pullBytes, new Uint8Array(5))).rejects.toThrow(/^blob\.digest/);
  expect(readdirSync(inbox)).toEqual([]);
});

test("a helper that is killed leaves a file that its successor removes; one that is asked to end leaves none", async () => {
  const { inbox, begin, putFrom, missing } = await startHelper();
  const first = await begin();
  await missing();
  await putFrom(0);
  const ended = new Promise((done) => first.once("close", done));
  first.kill("SIGKILL");
  await ended;
  expect(readdirSync(inbox)).toEqual([sha256]);
  const second = await begin();
  expect(await missing()).toEqual([{ sha256, size }]);
  expect(readdirSync(inbox)).toEqual([]);
  await putFrom(0);
  expect(existsSync(join(inbox, sha256))).toBe(true);
  const over = new Promise((done) => second.once("close", done));
  second.kill("SIGTERM");
  await over;
  expect(readdirSync(inbox)).toEqual([]);
});
