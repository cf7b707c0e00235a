import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { findUptime } from "./uptime.ts";

const boot = "0a1b2c3d-0000-4000-8000-123456789abc";

test.each([
  ["5017.33 19002.61\n", boot, { boot, ms: 5_017_330 }],
  ["5017 19002\n", boot, undefined],
  ["5017.33 19002.61\n", "no id", undefined],
])("%j in the run %j is %j", (uptime, id, expected) => {
  const { root } = makeHostDirectory();
  mkdirSync(join(root, "proc/sys/kernel/random"), { recursive: true });
  writeFileSync(join(root, "proc/uptime"), uptime);
  writeFileSync(join(root, "proc/sys/kernel/random/boot_id"), `${id}\n`);
  expect(findUptime(root)).toEqual(expected);
});

test("nothing is known where the kernel hides it, and this machine tells both", () => {
  expect(findUptime(makeHostDirectory().root)).toBeUndefined();
  expect(findUptime("/")?.ms).toBeGreaterThan(0);
});
