import { rmSync } from "node:fs";
import { firstTrust } from "@gatehouse/approval/verify";
import { expect, test } from "vitest";
import { madeAt } from "../../../../tests/support/signed-task.ts";
import { makeTaskHost } from "../../test/task-host.ts";
import { findPublishers } from "./find-publishers.ts";

test("a host whose root names no publisher takes nobody's programs, with a trust file or without", async () => {
  const host = await makeTaskHost();
  expect(findPublishers(host, madeAt)).toEqual(new Map());
  rmSync(host.paths.trust);
  expect(findPublishers(host, madeAt)).toEqual(new Map());
});

test("a trust file that is not believed, or no longer counts, names nobody: it is refused by name", async () => {
  const host = await makeTaskHost();
  const person = { name: "ada", keys: [{ blob: host.approvers[0].blob }] };
  host.setTrust(firstTrust([person], { notAfter: madeAt }));
  expect(findPublishers(host, madeAt)).toEqual(new Map());
  expect(() => findPublishers(host, madeAt + 1)).toThrow(/^trust\.expired: expected .* or earlier, found /);
  host.setTrust(new TextEncoder().encode("{}"));
  expect(() => findPublishers(host, madeAt)).toThrow(/^trust\.unsound/);
});
