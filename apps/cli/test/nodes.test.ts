import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Node } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enrolFakeHost } from "../../../tests/support/fake-host.ts";
import { until } from "../../../tests/support/until.ts";
import { type AgentFront, startAgentFront } from "./agent-front.ts";
import { newPerson, type Person } from "./gatehouse.ts";
import { owner, type RealServer, startRealServer } from "./real-server.ts";

/** The verbs of nodes against the real server, with hosts that have no machine. */
let directory = "";
let server: RealServer;
let front: AgentFront;
const sha256 = "5".repeat(64);
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-cli-nodes-"));
  server = await startRealServer(directory);
  front = await startAgentFront(server.url, sha256);
});
afterAll(async () => {
  front.close();
  await server.stop();
  await rm(directory, { recursive: true });
});

async function signedIn(): Promise<Person> {
  const person = await newPerson(front.url);
  const input = `${owner.password}\n`;
  const { code, err } = await person.run(`login --username ${owner.username} --password-stdin`, { input });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return person;
}

const enrol = `node enrol --digest ${sha256}`;

interface Made {
  readonly id: string;
  readonly code: string;
  readonly line: string;
}

async function codesOf(person: Person, options: string): Promise<readonly Made[]> {
  const made = await person.json(`${enrol} ${options}`.trim());
  expect(made).toMatchObject({ code: 0, ok: true });
  return made["items"] as readonly Made[];
}

/** A host that is enrolled and has described itself, as everybody can see. */
async function newHost(person: Person, name: string, options = "--tag web") {
  const [made] = await codesOf(person, `--name ${name} ${options}`);
  const host = await enrolFakeHost(server.url, made?.code ?? "", { hostname: `${name}-host` });
  const connection = await host.hello();
  await connection.sendFacts({ agentVersion: "1.0.0" });
  connection.keepBeating();
  await until("the facts are kept", async () => (await nodeOf(person, host.nodeId)).facts !== null);
  return { ...host, connection };
}

async function nodeOf(person: Person, named: string): Promise<Node> {
  return (await person.json(`node show ${named}`))["node"] as Node;
}

test("a line is printed alone; its code enrols one host under the name and the tags that were asked for", async () => {
  const ada = await signedIn();
  const { code, out, err } = await ada.run(`${enrol} --name shop --tag web,berlin --expires 2h`);
  expect(code).toBe(0);
  const [line = "", rest] = out.split("\n");
  expect(rest).toBe("");
  expect(line).toMatch(
    /^curl -fsS --compressed -o gatehouse-agent http:\/\/localhost:\d+\/api\/agent\/download\/x64 && echo '5{64} {2}gatehouse-agent' \| sha256sum -c && chmod 0755 gatehouse-agent && sudo \.\/gatehouse-agent enrol ghe1_[\w-]+$/,
  );
  expect(err).toContain("The digest is the one that --digest names.");
  const host = await enrolFakeHost(server.url, line.split(" ").at(-1) ?? "");
  expect(await nodeOf(ada, host.nodeId)).toMatchObject({ name: "shop", tags: ["web", "berlin"], facts: null });
  expect((await ada.run("node list --tag berlin")).out).toMatch(/^1 node at .*\n.*\n {2}shop .* Not heard yet /);
});

test("several codes at once, each with its line; a name is for one", async () => {
  const ada = await signedIn();
  const items = await codesOf(ada, "--count 3 --ca /etc/ssl/ours.pem");
  expect(new Set(items.map(({ code }) => code)).size).toBe(3);
  for (const { line, code } of items) expect(line.endsWith(`enrol ${code} --ca /etc/ssl/ours.pem`)).toBe(true);
  expect(await ada.run(`${enrol} --count 3 --name x`)).toMatchObject({ code: 2 });
  expect(await ada.run(`${enrol} --count 101`)).toMatchObject({ code: 2 });
  expect(await ada.run("node enrol --ca=-x")).toMatchObject({ code: 2 });
  expect(await ada.run("node enrol --digest abc")).toMatchObject({ code: 2 });
});

test("a server that serves another agent than is expected gets no code made, and a token none at all", async () => {
  const ada = await signedIn();
  const before = (await ada.json("node enrolments"))["items"] as unknown[];
  const refused = await ada.json(`node enrol --digest ${"6".repeat(64)}`);
  expect(refused).toMatchObject({ code: 1, error: { code: "cli.digest_differs" } });
  expect(await ada.json(`${enrol} --arch arm64`)).toMatchObject({ code: 1, error: { code: "agent.not_built" } });
  const { out } = await ada.run("token issue --name nodes --scope node:admin,node:read");
  const env = { GATEHOUSE_TOKEN: out.trim() };
  expect(await ada.json(enrol, { env })).toMatchObject({ code: 1, error: { code: "auth.session_required" } });
  expect((await ada.json("node enrolments"))["items"]).toHaveLength(before.length);
});

test("enrolments are listed without their codes; one that was not used can be revoked, a used one not", async () => {
  const ada = await signedIn();
  const [one, two] = await codesOf(ada, "--count 2 --tag lists");
  const host = await enrolFakeHost(server.url, one?.code ?? "");
  expect(await ada.run(`node enrolments --revoke ${two?.id}`)).toMatchObject({ code: 0 });
  await expect(enrolFakeHost(server.url, two?.code ?? "")).rejects.toMatchObject({ code: "enrol.code_unknown" });
  expect(await ada.json(`node enrolments --revoke ${one?.id}`)).toMatchObject({ error: { code: "enrol.code_used" } });
  const { out } = await ada.run("node enrolments");
  expect(out).toMatch(new RegExp(`${one?.id} +used .*${host.nodeId}`));
  expect(out).toMatch(new RegExp(`${two?.id} +revoked `));
  expect(out).not.toContain("ghe1_");
});

test("nodes are listed with how they stand, and filtered", async () => {
  const ada = await signedIn();
  const host = await newHost(ada, "listed", "--tag listed");
  expect((await ada.run("node list --tag listed")).out).toMatch(
    /listed +\w{8} +Watched since .*\d\d:\d\d +listed +monitor +1\.0\.0 x64 +(?:\d+ s ago|.*\d\d:\d\d)\n$/,
  );
  const counted = async (filter: string) => (await ada.run(`node list --tag listed ${filter}`)).out.split("\n")[0];
  for (const [filter, found] of [
    ["--state online", 1],
    ["--state revoked", 0],
    ["--version 1.0.0", 1],
    ["--version 9.9.9", 0],
    ["--architecture x64", 1],
    ["--architecture arm64", 0],
    ["--ceiling monitor", 1],
    ["--ceiling managed", 0],
  ] as const) {
    expect(await counted(filter), filter).toMatch(new RegExp(`^${found} nodes? at `));
  }
  await host.connection.close();
  await until("it is away", async () => (await nodeOf(ada, "listed")).state === "offline");
  expect((await ada.run("node list --tag listed")).out).toContain("Offline since ");
});

test("a node is named by its id, its last digits or its name; one that several have names none", async () => {
  const ada = await signedIn();
  const [one, two] = [await newHost(ada, "twin"), await newHost(ada, "other")];
  for (const named of [one.nodeId, one.nodeId.slice(-8), "twin"]) {
    expect(await nodeOf(ada, named)).toMatchObject({ id: one.nodeId });
  }
  expect(await ada.run(`node rename ${two.nodeId} twin`)).toMatchObject({
    code: 0,
    out: `other is now called twin (${two.nodeId}).\n`,
  });
  expect(await ada.json("node revoke twin")).toMatchObject({ code: 1, error: { code: "cli.node_ambiguous" } });
  expect(await ada.json("node show nobody")).toMatchObject({ code: 1, error: { code: "node.unknown" } });
  expect(await ada.run("node show node_123")).toMatchObject({ code: 2 });
});

test("tags are added and taken away, and what changes nothing is no change", async () => {
  const ada = await signedIn();
  const { nodeId } = await newHost(ada, "tagged", "--tag a,b");
  expect((await ada.run(`node tag ${nodeId} --add c --remove a`)).out).toBe("tagged has the tags b c.\n");
  expect((await ada.run(`node tag ${nodeId} --add c --remove a`)).out).toBe("tagged has the tags b c, as before.\n");
  expect((await ada.run(`node tag ${nodeId} --remove b,c`)).out).toBe("tagged has no tags.\n");
  expect(await ada.run(`node tag ${nodeId}`)).toMatchObject({ code: 2 });
  expect(await ada.run(`node tag ${nodeId} --add x --remove x`)).toMatchObject({ code: 2 });
  expect(await ada.run(`node tag ${nodeId} --add NotATag`)).toMatchObject({ code: 1 });
});

test("a place is set by hand, shown and taken away, and degrees below zero are no options", async () => {
  const ada = await signedIn();
  const { nodeId } = await newHost(ada, "placed");
  expect(await ada.run(`node place ${nodeId} -33.45 -70.67 --label Santiago`)).toMatchObject({
    code: 0,
    out: "placed is at -33.45, -70.67 (Santiago), set by hand.\n",
  });
  expect((await ada.run("node show placed")).out).toMatch(/place +-33\.45, -70\.67 \(Santiago\), set by hand\n/);
  expect(await nodeOf(ada, "placed")).toMatchObject({
    place: { latitude: -33.45, longitude: -70.67, label: "Santiago" },
  });
  expect((await ada.run("node place placed --label Berlin 52.52 13.405")).code).toBe(0);
  expect((await ada.run("node place placed --none -5 5")).code).toBe(2);
  expect((await ada.run("node place placed --none")).out).toBe("placed has no place set by hand.\n");
  expect((await ada.run("node show placed")).out).not.toContain("set by hand");
  const refused = ["", "52", "91 0", "0 -180.1", "1e1 0", "0x1 0", "NaN 0", "-- -1,5 0", "-5 5 -6", "--none --label x"];
  for (const written of refused) expect((await ada.run(`node place placed ${written}`)).code, written).toBe(2);
});

test("a revoked node is cut off at once and stays in sight; a removed one is gone", async () => {
  const ada = await signedIn();
  const host = await newHost(ada, "lost");
  const { nodeId, connection } = host;
  expect((await ada.run("node revoke lost")).out).toContain(`lost is revoked (${nodeId}): its connection has ended.`);
  expect(await connection.closed).toEqual({ code: 4403, reason: "hello.revoked" });
  await expect(host.hello()).rejects.toMatchObject({ closing: { reason: "hello.revoked" } });
  expect((await ada.run("node show lost")).out).toContain("Revoked since ");
  expect((await ada.run("node revoke lost")).out).toContain("was revoked before");
  expect(await ada.run("node remove lost")).toMatchObject({ code: 0, out: `Removed lost, ${nodeId}.\n` });
  expect(await ada.json(`node show ${nodeId}`)).toMatchObject({ error: { code: "node.unknown" } });
});

test("whoever watches sees hosts come, change and go", async () => {
  const ada = await signedIn();
  expect(await ada.run("node watch --changes 0")).toMatchObject({ code: 2 });
  const [made] = await codesOf(ada, "--name seen --tag watched");
  const watch = ada.onTerminal("gatehouse node watch --tag watched");
  await watch.waitFor("0 nodes at ");
  const host = await enrolFakeHost(server.url, made?.code ?? "", { hostname: "seen-host" });
  await watch.waitFor(`seen (${host.nodeId.slice(-8)})  Enrolled from seen-host; Not heard yet`);
  const connection = await host.hello();
  await watch.waitFor(`seen (${host.nodeId.slice(-8)})  Healthy`);
  await ada.run("node tag seen --add shop");
  await watch.waitFor("Tags: watched shop");
  await connection.close();
  await watch.waitFor("Offline");
  watch.write("\u0003");
  expect((await watch.ended).code).toBe(130);
});

test("as JSON every change is a line, and so many end it", async () => {
  const ada = await signedIn();
  const host = await newHost(ada, "counted", "--tag counted");
  const watch = ada.onTerminal("gatehouse node watch --tag counted --changes 1 --json");
  await watch.waitFor('"name":"counted"');
  await ada.run("node rename counted recounted");
  const { code, out } = await watch.ended;
  expect(code).toBe(0);
  const [all, change] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(all).toMatchObject({ ok: true, items: [{ id: host.nodeId }] });
  expect(change).toMatchObject({ change: "name", node: { id: host.nodeId, name: "recounted" } });
});

test("a host that has told of no difference is not said to be as confirmed, and nothing of it is planned back", async () => {
  const person = await signedIn();
  const { nodeId, connection } = await newHost(person, "drift-1");
  const shown = await person.run("node drift drift-1");
  expect([shown.code, shown.out]).toEqual([
    0,
    "drift-1: nothing is known to differ; it has not told what it found since the server started.\n",
  ]);
  expect(await person.json(`node drift ${nodeId}`)).toMatchObject({
    code: 0,
    drift: { checkedAt: null, watched: null, more: 0, items: [] },
  });
  expect(await person.json("node drift drift-1 --plan")).toMatchObject({
    ok: false,
    error: { code: "plan.drift_refused" },
  });
  await connection.close();
});

// The last ones: from here on the server's clock is ahead.

test("a token with the scopes does what is no enrolment, and is asked for no password", async () => {
  const ada = await signedIn();
  const { nodeId } = await newHost(ada, "by-token");
  const { out } = await ada.run("token issue --name nodes --scope node:admin,node:read");
  const env = { GATEHOUSE_TOKEN: out.trim() };
  await server.passSixMinutes();
  for (const line of ["tag by-token --add x", "rename by-token renamed", "revoke renamed", "remove renamed"]) {
    expect(await ada.run(`node ${line}`, { env }), line).toMatchObject({ code: 0, err: "" });
  }
  expect(await ada.json(`node show ${nodeId}`, { env })).toMatchObject({ error: { code: "node.unknown" } });
});

test("a session that signed in long ago proves its password before a host is enrolled or removed", async () => {
  const ada = await signedIn();
  const { nodeId } = await newHost(ada, "proved");
  await server.passSixMinutes();
  const input = `${owner.password}\n`;
  expect(await ada.run(`node revoke ${nodeId}`)).toMatchObject({ code: 0 });
  expect(await ada.run(`node remove ${nodeId}`)).not.toMatchObject({ code: 0 });
  expect(await ada.run(`node remove ${nodeId} --password-stdin`, { input })).toMatchObject({ code: 0 });
  await server.passSixMinutes();
  expect(await ada.run(enrol)).not.toMatchObject({ code: 0 });
  expect(await ada.run(`${enrol} --password-stdin`, { input })).toMatchObject({ code: 0 });
});
