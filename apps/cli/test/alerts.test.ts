import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson, type Person } from "./gatehouse.ts";
import { owner, type RealServer, startRealServer } from "./real-server.ts";

/** The verbs of alerts against the real server. That alerts open there is tried beside the server, where time can be moved. */
let directory = "";
let server: RealServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-cli-alerts-"));
  server = await startRealServer(directory);
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

async function signedIn(): Promise<Person> {
  const person = await newPerson(server.url);
  const input = `${owner.password}\n`;
  expect(await person.run(`login --username ${owner.username} --password-stdin`, { input })).toMatchObject({ code: 0 });
  return person;
}

test("rules are listed, made, changed, switched off and removed", async () => {
  const ada = await signedIn();
  const { out } = await ada.run("alert rules");
  expect(out).toMatch(/^4 alert rules at .*\n.*\n {2}offline +Offline +Offline for 2 min +all nodes +on +0\n/);
  const added = await ada.run("alert rule-add Backups --metric disk --above 80 --recover 75 --tag backup");
  expect(added.out).toMatch(/^Backups \(rule_\w{26}\): Disk over 80 % for 5 min, tags backup\.\n$/);
  const set = await ada.run("alert rule-set Backups --below 10 --recover 20 --for 1 --all --off");
  expect(set.out).toMatch(/ is off: Disk under 10 % for 1 min, all nodes\.\n$/);
  expect((await ada.run("alert rule-set disk --name Volumes")).out).toBe(
    "Volumes (disk) is on: Disk over 90 % for 5 min, all nodes.\n",
  );
  expect(await ada.run("alert rule-set disk")).toMatchObject({ code: 2 });
  expect(await ada.json("alert rule-remove disk")).toMatchObject({ code: 1, error: { code: "alert.rule_built_in" } });
  expect(await ada.json("alert rule-remove Nobody")).toMatchObject({ code: 1, error: { code: "alert.rule_unknown" } });
  expect(await ada.run("alert rule-remove Backups")).toMatchObject({ code: 0 });
  expect((await ada.json("alert rules"))["items"]).toHaveLength(4);
});

test("alerts are silenced for a time with a reason, and told of again", async () => {
  const ada = await signedIn();
  expect((await ada.run("alert list")).out).toMatch(/^0 open alerts at /);
  expect(await ada.json("alert ack 8k2m4p6q")).toMatchObject({ code: 1, error: { code: "alert.unknown" } });
  expect(await ada.run("alert silence --all --for 31d --reason work")).toMatchObject({ code: 2 });
  expect(await ada.run("alert silence --for 1h --reason work")).toMatchObject({ code: 2 });
  const made = await ada.json("alert silence --tag web --rule memory --for 30d --reason work");
  const { id } = made["silence"] as { id: string };
  expect(made).toMatchObject({ code: 0, silence: { appliesTo: { tags: ["web"] }, rule: "memory", reason: "work" } });
  expect((await ada.run("alert silences")).out).toContain("tags web  memory");
  expect(await ada.run(`alert unsilence ${id.slice(-8)}`)).toMatchObject({ code: 0 });
  expect(await ada.json(`alert unsilence ${id}`)).toMatchObject({ error: { code: "alert.silence_unknown" } });
});
