import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/until.ts";
import { type AuditItem, call, readAudit } from "./support/people.ts";
import { type PluginServer, startOver } from "./support/plugins.ts";
import { activate, makeTrustingPlace, placeShell } from "./support/shell-plugin.ts";
import { tried } from "./support/tried.ts";

/**
 * Our own 0.1.5: a plugin was run first and its record written afterwards. On a full disk it acted and left no trace, and an
 * action that ended the server was not in the log of the next start. Tested here is that nothing runs before its record is
 * durable, and that a record without an end gets one.
 */
const acts = `call 1 log.write '{"level":"info","message":"it acted"}'
case "$1" in
  describe) answer '{"name":"Acts","version":"1.0.0","summary":"Acts."}' ;;
  *) answer '{"status":"ok"}' ;;
esac`;
const stays = `call 1 log.write '{"level":"info","message":"it began"}'
sleep 600`;

test("on a full disk nothing is asked, so nothing acts", async (context) => {
  await using place = await makeTrustingPlace();
  await placeShell(place, "acme-acts", acts);
  await placeShell(place, "acme-writes", acts, { capabilities: ["kv:write", "log:write"] });
  await mkdir(place.dataDir);
  // A disk of its own, which nobody else sees and which is gone with the server.
  const disk = `mount -t tmpfs -o size=40m,mode=0700 tmpfs ${place.dataDir}`;
  const before = `exec unshare --mount --propagation private sh -c '${disk} && exec "$0" "$@"' "$0" "$@"`;
  await using started = await startOver(place, { before });
  await activate(started, "acme-acts", "acme-writes");
  expect((await started.ask("acme-acts", "health")).status).toBe(200);
  const actedBefore = timesActed(started);
  expect(actedBefore).toBe(1);

  const inside = join("/proc", String(started.server.pid), "root", place.dataDir);
  const ballast = join(inside, "ballast");
  const { bavail, bsize } = await statfs(inside);
  await writeFile(ballast, new Uint8Array(bavail * bsize)).catch((error: unknown) => {
    expect(error).toMatchObject({ code: "ENOSPC" });
  });
  const refused = [
    await started.ask("acme-acts", "health"),
    await started.ask("acme-writes", "describe"),
    await started.ask("acme-acts", "plan", { any: "input" }),
  ];
  expect(refused.map(({ status, code }) => [status, code])).toEqual(refused.map(() => [507, "store.disk_full"]));
  expect(timesActed(started)).toBe(actedBefore);
  // Nor does the server ask by itself, whoever looks.
  for (const id of ["acme-acts", "acme-writes"]) expect((await look(started, id)).body).toMatchObject({ id });
  expect((await call(started.port, "GET", "/api/plugins/lifecycle", started.owner)).status).toBe(200);
  expect(timesActed(started)).toBe(actedBefore);

  await rm(ballast);
  await until("freed space is used again", async () => (await started.ask("acme-acts", "health")).status === 200);
  expect(timesActed(started)).toBe(timesAsked(await readAudit(started.port, started.owner.as)));
  tried(context, "3 questions and 2 looks on a full file system of the kernel");
});

test("an action during which the server is killed is on the record, and the next start says that its end is unknown", async (context) => {
  await using place = await makeTrustingPlace();
  await placeShell(place, "acme-stays", stays);
  await placeShell(place, "acme-seen", acts);
  const first = await startOver(place);
  onTestFinished(() => first[Symbol.asyncDispose]());
  await activate(first, "acme-stays", "acme-seen");
  const asked = first.ask("acme-stays", "health").catch(() => undefined);
  await until("the action runs", () => first.server.stdout().includes("it began"));
  await first.server.kill();
  await asked;

  await using second = await startOver(place);
  const told = await questions(second);
  expect(told).toMatchObject([
    { action: "plugin.asked", actor: first.owner.id, subject: "plugin/acme-stays", detail: { action: "health" } },
    { action: "plugin.answered", actor: "system", subject: "plugin/acme-stays", outcome: "failed" },
  ]);
  expect(told[1]?.detail["question"]).toBe(told[0]?.detail["question"]);
  expect(told[1]?.detail["reason"]).toMatch(/^nobody knows how it ended: the server ended/);

  // Whoever opens a plugin's page asks nothing: the server does, by itself, and not for every look.
  await until("the server knows what it answers", async () => {
    const { body } = await look(second, "acme-seen");
    return body.health.state === "answered" && body.describe.state === "answered";
  });
  for (let times = 0; times < 20; times += 1) expect((await look(second, "acme-seen")).status).toBe(200);
  // Twice, and once more for every minute that a busy machine takes for this; each look would make it forty.
  expect(timesActed(second)).toBeLessThan(20);
  expect(await questions(second)).toHaveLength(2);
  tried(context, "a kill in the middle of an action, a start after it, and 20 looks at a plugin");
});

interface Known {
  readonly id: string;
  readonly describe: { readonly state: string };
  readonly health: { readonly state: string };
}

function look({ port, owner }: Pick<PluginServer, "port" | "owner">, id: string) {
  return call<Known>(port, "GET", `/api/plugins/${id}/answers`, owner);
}

function timesActed({ server }: Pick<PluginServer, "server">): number {
  return server.stdout().split("it acted").length - 1;
}

async function questions({ port, owner }: Pick<PluginServer, "port" | "owner">): Promise<AuditItem[]> {
  const all = await readAudit(port, owner.as);
  return all.filter(({ action }) => action === "plugin.asked" || action === "plugin.answered");
}

function timesAsked(entries: readonly AuditItem[]): number {
  return entries.filter(({ action }) => action === "plugin.asked").length;
}
