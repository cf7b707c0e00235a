import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readBuildInfo } from "./read-build-info.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-build-"));
  mkdirSync(join(directory, "dist"));
  writeFileSync(join(directory, "package.json"), '{"version":"0.2.1"}');
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a stamped build says what it was made from", () => {
  const stamp = {
    commit: "0123456789abcdef".repeat(3).slice(0, 40),
    builtAt: "2026-01-01T00:00:00.000Z",
    channel: "beta",
  };
  writeFileSync(join(directory, "dist/build-info.json"), JSON.stringify(stamp));
  expect(readBuildInfo(directory)).toEqual({ version: "0.2.1", ...stamp, node: process.versions.node, api: "0.2" });
});

test("a build that was not stamped, or not by us, is an unknown one of channel dev", () => {
  const unknown = { version: "0.2.1", commit: "unknown", builtAt: "unknown", channel: "dev" };
  expect(readBuildInfo(directory)).toMatchObject(unknown);
  for (const text of ["{", '{"commit":"<script>","builtAt":"unknown","channel":"stable"}', '{"channel":"nightly"}']) {
    writeFileSync(join(directory, "dist/build-info.json"), text);
    expect(readBuildInfo(directory)).toMatchObject(unknown);
  }
});

test("the version is the one in the root package.json, and nowhere else", () => {
  const root = join(import.meta.dirname, "../../../../..");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(readBuildInfo().version).toBe(version);
});
