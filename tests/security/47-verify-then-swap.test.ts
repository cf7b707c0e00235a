import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { judgeWhileSwapping } from "../bundles/swapped-files.ts";
import { isShort, seed } from "./support/chance.ts";
import { readAudit } from "./support/people.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Crossplane: what was checked was not what was started, because the file was swapped in between. Tested here is that a
 * verdict is about bytes of one descriptor, and that a loaded bundle is read again before it is accepted or activated.
 */
test("while another thread swaps files, directories and links, only signed bytes are ever accepted", async (context) => {
  const rounds = isShort ? 150 : 10_000;
  const { failures, wronglyAccepted, counts } = await judgeWhileSwapping(seed, rounds);
  expect(failures).toEqual([]);
  expect(wronglyAccepted).toBe(0);
  const accepted = counts["of them accepted"] ?? 0;
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(rounds);
  tried(
    context,
    `${count(rounds, "verdicts")} during ${count(counts["swaps meanwhile"] ?? 0, "swaps")}, ${count(accepted, "accepted")}, all of signed bytes`,
  );
});

const place = await makePluginPlace();
const first = makeBundle({ id: "acme-swap" });
const second = makeBundle({ id: "acme-swap", version: "1.0.1" }, undefined, "another program, signed as well");
await placeBundle(place.directory, first);
const started = await sharedPlugins(place);

test("bytes that were swapped after the start are neither accepted nor activated, though they are signed", async (context) => {
  const artifact = join(place.directory, "acme-swap", "artifact");
  // Another signed version: the server was started with the first.
  await placeBundle(place.directory, second);
  expect((await started.move("acme-swap", "installed")).code).toBe("plugin.digest_stale");
  expect((await started.verify("acme-swap")).body).toMatchObject({ accepted: true, loaded: false });
  // Back again: what was loaded can be accepted.
  await placeBundle(place.directory, first);
  expect((await started.move("acme-swap", "installed")).status).toBe(200);
  await writeFile(artifact, first.artifact.with(3, 0));
  const activated = await started.move("acme-swap", "active");
  expect(activated.code).toBe("plugin.activation_failed");
  expect((activated.body as unknown as { detail: string }).detail).toMatch(/^artifact digest mismatch/);
  expect(await started.find("acme-swap")).toMatchObject({ status: "disabled", runtime: { state: "absent" } });
  // Swapped for the other signed version while it is disabled: still not what was accepted.
  await placeBundle(place.directory, second);
  expect((await started.move("acme-swap", "active")).code).toBe("plugin.activation_failed");
  const told = (await readAudit(started.port, started.owner.as)).filter(
    ({ subject }) => subject === "plugin/acme-swap",
  );
  expect(told.map(({ action }) => action)).toEqual([
    "plugin.verified",
    "plugin.installed",
    "plugin.activation_failed",
    "plugin.activation_failed",
  ]);
  expect(told.slice(-2).map(({ detail }) => String(detail["reason"]).slice(0, 24))).toEqual([
    "artifact digest mismatch",
    "artifact digest mismatch",
  ]);
  tried(context, "3 swaps between start, acceptance and activation");
});
