import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { judgeWhileSwapping } from "../bundles/swapped-files.ts";
import { startSwapping } from "./support/artifact-swapper.ts";
import { counts, seed } from "./support/chance.ts";
import { childrenOf } from "./support/children-of.ts";
import { readAudit } from "./support/people.ts";
import { makePluginPlace, type PluginServer, sharedPlugins } from "./support/plugins.ts";
import { makeTrustingPlace, placeShell } from "./support/shell-plugin.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Crossplane: what was checked was not what was started, because the file was swapped in between. Tested here is that a
 * verdict is about bytes of one descriptor, that a loaded bundle is read again before it is accepted or activated, and that
 * what runs is the copy that was hashed, whatever its paths lead to by then.
 */
test("while another thread swaps files, directories and links, only signed bytes are ever accepted", async (context) => {
  const rounds = counts["47 verdicts"];
  const { failures, wronglyAccepted, counts: seen } = await judgeWhileSwapping(seed, rounds);
  expect(failures).toEqual([]);
  expect(wronglyAccepted).toBe(0);
  // How many of each there are is the scheduler's doing; that each kind is judged rightly when nothing moves is shown below.
  const accepted = seen["of them accepted"] ?? 0;
  expect(accepted + (seen["of them refused"] ?? 0)).toBe(rounds);
  tried(
    context,
    `${count(rounds, "verdicts")} during ${count(seen["swaps meanwhile"] ?? 0, "swaps")}, ${count(accepted, "accepted")}, all of signed bytes`,
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
  expect(await started.find("acme-swap")).toMatchObject({
    status: "disabled",
    runtime: { state: "failed", sandbox: null },
  });
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

const signedBody = `answer '{"status":"ok","message":"signed bytes"}'`;
const running = await makeTrustingPlace();
const bundle = await placeShell(running, "acme-race", signedBody);
const forged = Buffer.from(Buffer.from(bundle.artifact).toString().replace("signed bytes", "forged bytes"));
const racing = await sharedPlugins(running);
const runtimeDir = join(running.dataDir, "runtime");

/** As much as it takes to swap: where, and what for what. The seed is the run's own. */
const swapAt = async (path: string, inPlace: boolean) => {
  const stash = await mkdtemp(join(running.path, "stash-"));
  return startSwapping({ path, stash, signed: bundle.artifact, forged, inPlace, seed });
};

test("what was judged is what is staged and run, while the artifact is swapped in the plugin directory", async (context) => {
  const rounds = counts["47 activations"];
  await racing.move("acme-race", "installed");
  const swapper = await swapAt(join(running.directory, "acme-race", "artifact"), true);
  let ran = 0;
  const refusals = new Set<string>();
  const activateOnce = async () => {
    const moved = await racing.move("acme-race", "active");
    if (moved.status === 200) {
      expect(await markOf(racing)).toBe("signed bytes");
      ran += 1;
      expect((await racing.move("acme-race", "disabled")).status).toBe(200);
    } else {
      expect(moved.code).toBe("plugin.activation_failed");
      refusals.add((moved.body as unknown as { detail: string }).detail.replaceAll(/[0-9a-f]{64}/g, "…"));
    }
  };
  for (let round = 0; round < rounds; round += 1) await activateOnce();
  await swapper.stop();
  // Both are seen for certain once nobody swaps: an activation of the signed bytes, and one of others.
  await activateOnce();
  await writeFile(join(running.directory, "acme-race", "artifact"), forged);
  await activateOnce();
  expect([...refusals].filter((reason) => !plannedRefusal.test(reason))).toEqual([]);
  expect(ran).toBeGreaterThan(0);
  expect(refusals.size).toBeGreaterThan(0);
  tried(
    context,
    `${count(rounds, "activations")} during ${count(swapper.swaps(), "swaps")}, ${count(ran, "armed")}, all of signed bytes`,
  );
});

test("between actions the staged copy's path leads elsewhere, and what runs is still the copy that was hashed", async (context) => {
  await placeBundle(running.directory, bundle);
  expect((await racing.move("acme-race", "active")).status).toBe(200);
  const staged = findStaged(runtimeDir);
  const swappers = [
    await swapAt(join(running.directory, "acme-race", "artifact"), true),
    // As the server's own user. Nothing in place here: whoever may write to the copy itself is the server.
    await swapAt(staged, false),
  ];
  const rounds = counts["47 actions"];
  for (let round = 0; round < rounds; round += 1) expect(await markOf(racing)).toBe("signed bytes");
  for (const swapper of swappers) await swapper.stop();
  // The whole directory as well, and for good.
  await rename(dirname(staged), `${dirname(staged)}-away`);
  await mkdir(dirname(staged), { mode: 0o700 });
  await writeFile(staged, forged, { mode: 0o700 });
  expect(await markOf(racing)).toBe("signed bytes");
  const swaps = swappers.reduce((sum, swapper) => sum + swapper.swaps(), 0);
  tried(context, `${count(rounds + 1, "actions")} during ${count(swaps, "swaps")} of both paths`);
});

test("a launcher that has to begin again trusts nothing but the digest", async (context) => {
  // Forged bytes lie at the copy's path since the test before.
  const [launcher = 0] = childrenOf(racing.server.pid);
  process.kill(launcher, "SIGKILL");
  const answers = [];
  for (let round = 0; round < 3; round += 1) answers.push(await racing.ask("acme-race", "health"));
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain("forged");
  expect(childrenOf(racing.server.pid)).not.toContain(launcher);
  // Activating it anew stages it anew.
  await placeBundle(running.directory, bundle);
  expect((await racing.move("acme-race", "disabled")).status).toBe(200);
  expect((await racing.move("acme-race", "active")).status).toBe(200);
  expect(await markOf(racing)).toBe("signed bytes");
  tried(context, "a launcher killed over forged bytes");
});

/** Which of them it is depends on what lay there when somebody looked: each is a refusal that says so. */
const plannedRefusal =
  /^(artifact digest mismatch: expected |the artifact cannot be opened: |the artifact is not a regular file|expected (a regular file )?artifact)/;

/** What the plugin that ran says of itself; fails when none did. */
async function markOf({ ask }: Pick<PluginServer, "ask">): Promise<unknown> {
  const { status, body } = await ask("acme-race", "health");
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.result as { message?: string }).message;
}

/** The one copy below the runtime directory. */
function findStaged(directory: string): string {
  const [found, ...more] = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("/artifact"),
  );
  if (found === undefined || more.length > 0)
    throw new Error(`expected one staged copy, found ${[found, ...more].join()}`);
  return join(directory, found);
}
