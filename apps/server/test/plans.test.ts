import { createHash } from "node:crypto";
import { decodeBase64url, readStateAnswer } from "@gatehouse/channel";
import type { Plan, PlanSectionView } from "@gatehouse/contract/routes";
import { newPrivateKey, nodeIdOf } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { parsePlan, planDigest, stateDigest } from "@gatehouse/plan";
import { describe, expect, test } from "vitest";
import { newVisitor, tokenVisitor } from "./auth-server.ts";
import { askForPlan, madePlan, managedPretend, nginx, type Refused, restart, startPlanned } from "./planned-fleet.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const says = { "service:nginx.service": nginx };

describe("a plan that a person makes", () => {
  test("carries what the hosts said, and its bytes give its digest", async () => {
    const { server, owner } = await startPlanned();
    const hosts = [
      await managedPretend(server, owner, { name: "web-1", says }),
      await managedPretend(server, owner, { name: "web-2" }),
    ];
    const plan = await madePlan(owner, { ...restart, nodes: hosts.map(({ host }) => host.nodeId) });
    expect(plan).toMatchObject({
      state: "in_review",
      nodes: 2,
      kinds: ["service.restart"],
      source: { from: "person" },
    });
    expect(hosts.map(({ asked }) => asked.map(({ subjects }) => subjects))).toEqual([
      [["service:nginx.service", "host:trust"]],
      [["service:nginx.service", "host:trust"]],
    ]);
    const { text } = await owner.call("GET", `/api/plans/${plan.id}/document`);
    const read = parsePlan(Buffer.from(text));
    if (!read.ok) throw new Error(read.reason);
    expect(planDigest(sha256, read.value)).toBe(plan.digest);
    const states = new Map(read.value.sections.map(({ node, preconditions }) => [node, preconditions[0]?.state]));
    expect(states.get(hosts[0]?.host.nodeId ?? "")).toBe(stateDigest(sha256, "service:nginx.service", nginx));
    expect(states.get(hosts[1]?.host.nodeId ?? "")).toBe("absent");
    const entry = (await server.audit()).find(({ action }) => action === "plan.created");
    expect(entry).toMatchObject({ subject: `plan/${plan.id}`, detail: { digest: plan.digest, nodes: 2, refusals: 0 } });
  });

  test("shows each host in words, beside what the host itself has signed", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner, { says });
    const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    const listed = await owner.call<{ items: PlanSectionView[] }>("GET", `/api/plans/${plan.id}/sections`);
    const [section] = listed.body.items;
    expect(section).toMatchObject({ index: 0, node: host.nodeId, name: "web-1" });
    expect(section?.operations[0]?.words.join(" ")).toContain("nginx.service");
    const signed = readSigned(decodeBase64url(section?.states ?? ""), [64], readStateAnswer);
    expect(nodeIdOf(signed?.value.hostKey ?? new Uint8Array())).toBe(host.nodeId);
    expect(signed?.value.states).toEqual([
      { subject: "service:nginx.service", state: nginx },
      { subject: "host:trust", state: null },
    ]);
  });

  test("is paged by its hosts, and one of them can be asked for", async () => {
    const { server, owner } = await startPlanned();
    const hosts = [];
    for (const name of ["a", "b", "c"]) hosts.push(await managedPretend(server, owner, { name, tags: ["web"] }));
    const plan = await madePlan(owner, { ...restart, tags: ["web"] });
    const page = async (query: string) =>
      (
        await owner.call<{ items: PlanSectionView[]; nextCursor: string | null }>(
          "GET",
          `/api/plans/${plan.id}/sections${query}`,
        )
      ).body;
    const first = await page("?limit=2");
    expect(first.items.map(({ index }) => index)).toEqual([0, 1]);
    const rest = await page(`?limit=2&cursor=${first.nextCursor}`);
    expect(rest).toMatchObject({ items: [{ index: 2 }], nextCursor: null });
    const wanted = hosts[1]?.host.nodeId ?? "";
    expect(await page(`?node=${wanted}`)).toMatchObject({ items: [{ node: wanted }], nextCursor: null });
    expect(await page(`?node=node_${"0".repeat(26)}`)).toEqual({ items: [], nextCursor: null });
  });

  test("refuses operations that have no form, and asks no host", async () => {
    const { server, owner } = await startPlanned();
    const { host, asked } = await managedPretend(server, owner);
    for (const [operations, status, code] of [
      [[{ kind: "service.restart", unit: "--help" }], 400, "request.malformed"],
      [[{ kind: "shell.run", text: "id" }], 400, "request.malformed"],
    ] as const) {
      const answer = await askForPlan(owner, { ...restart, operations, nodes: [host.nodeId] });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
    expect(asked).toEqual([]);
  });

  test("is made once for one key, however often it is asked for", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner);
    const body = { ...restart, nodes: [host.nodeId] };
    const answers = await Promise.all([1, 2].map(() => askForPlan(owner, body, { "Idempotency-Key": "one" })));
    const again = await askForPlan(owner, body, { "Idempotency-Key": "one" });
    const ids = [...answers, again].filter(({ status }) => status === 201).map(({ body: made }) => made.id);
    expect(new Set(ids).size).toBe(1);
    expect((await owner.call<{ items: Plan[] }>("GET", "/api/plans")).body.items).toHaveLength(1);
  });
});

describe("hosts that a plan is for", () => {
  test("are named when they are not connected, and left out only where the author says so", async () => {
    const { server, owner } = await startPlanned();
    const here = await managedPretend(server, owner, { name: "here", tags: ["web"] });
    const away = await managedPretend(server, owner, { name: "away", tags: ["web"] });
    away.agent.socket.close();
    await away.agent.closed;
    server.clock.advance(60_000);
    here.agent.send({ t: "beat", seq: 1, at: 0, values: [] });
    const refused = await askForPlan(owner, { ...restart, tags: ["web"] });
    expect(refused.body).toMatchObject({
      code: "plan.node_offline",
      nodes: [{ node: away.host.nodeId, name: "away" }],
    });
    const plan = await madePlan(owner, { ...restart, tags: ["web"], skipOffline: true });
    expect(plan).toMatchObject({ nodes: 1, skipped: [{ node: away.host.nodeId, name: "away" }] });
    const nobody = await askForPlan(owner, { ...restart, nodes: [away.host.nodeId], skipOffline: true });
    expect(nobody.body.code).toBe("plan.no_nodes");
  });

  test("end the plan with their own reason when they refuse to say what they are like", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner, {
      reply: ({ request }) => [
        { t: "state-refused", request, code: "read.ceiling", detail: "service:nginx.service is not in the ceiling" },
      ],
    });
    const answer = await askForPlan(owner, { ...restart, nodes: [host.nodeId] });
    expect(answer.body).toMatchObject({ code: "plan.node_refused" });
    expect(answer.body.detail).toMatch(/^web-1: read\.ceiling: service:nginx/);
  });

  test("are not asked what they cannot answer: an older agent is named", async () => {
    const { server, owner } = await startPlanned();
    const { host, asked } = await managedPretend(server, owner, { features: [] });
    const answer = await askForPlan(owner, { ...restart, nodes: [host.nodeId] });
    expect(answer.body).toMatchObject({ code: "plan.node_refused" });
    expect(asked).toEqual([]);
  });

  test("that never answer are given up, and one that goes away meanwhile is named", async () => {
    const { server, owner } = await startPlanned();
    const silent = await managedPretend(server, owner, { name: "silent", reply: () => [] });
    const waiting = askForPlan(owner, { ...restart, nodes: [silent.host.nodeId] });
    await silent.askedTimes(1);
    server.clock.advance(20_000);
    server.runTimers();
    expect((await waiting).body.detail).toMatch(/^silent: it did not answer/);
    const going = askForPlan(owner, { ...restart, nodes: [silent.host.nodeId] });
    await silent.askedTimes(2);
    silent.agent.socket.close();
    expect((await going).body.detail).toMatch(/^silent: its connection ended/);
  });

  test.each<[string, Parameters<typeof managedPretend>[2]]>([
    ["signed by another key", { reply: (w, h) => h.states(w, says, { signer: newPrivateKey() }) }],
    ["to another question", { reply: (w, h) => h.states(w, says, { request: new Uint8Array(32) }) }],
    ["of another host", { reply: (w, h) => h.states(w, says, { nodeId: `node_${"0".repeat(26)}` }) }],
    ["about other parts", { reply: (w, h) => h.states({ ...w, subjects: ["file:/etc/motd"] }, says) }],
    ["about fewer parts", { reply: (w, h) => h.states({ ...w, subjects: [] }, says) }],
    ["that is no answer", { reply: ({ request }) => [{ t: "state", request, piece: 0, pieces: 1, bytes: "AAAA" }] }],
    ["whose pieces are out of order", { reply: (w, h) => h.states(w, says).map((one) => ({ ...one, piece: 1 })) }],
  ])("an answer %s is not believed, and its connection is cut", async (_, options) => {
    const { server, owner } = await startPlanned();
    const { host, agent } = await managedPretend(server, owner, options);
    const answer = await askForPlan(owner, { ...restart, nodes: [host.nodeId] });
    expect(answer.body.code).toBe("plan.node_refused");
    expect((await agent.closed).reason).toBe("frame.malformed");
    expect((await owner.call<{ items: Plan[] }>("GET", "/api/plans")).body.items).toEqual([]);
  });

  test("an answer that nobody asked for changes nothing", async () => {
    const { server, owner } = await startPlanned();
    const { host, agent } = await managedPretend(server, owner, { says });
    const invented = { t: "want-state", request: "A".repeat(43), subjects: ["service:nginx.service"] } as const;
    for (const frame of host.states({ ...invented, subjects: [...invented.subjects] }, says)) agent.send(frame);
    agent.send({ t: "state-refused", request: "A".repeat(43), code: "read.rate", detail: "" });
    const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    expect(plan.state).toBe("in_review");
  });
});

describe("the lint", () => {
  const closed = {
    title: "Close",
    summary: "Everything.",
    operations: [{ kind: "firewall.apply", table: "gatehouse_netguard", input: { policy: "drop", rules: [] } }],
  };
  const ssh = { "host:ssh": { ports: [22], peers: ["198.51.100.7"] } };

  test("keeps a plan that would cut somebody off a draft, names the packet, and lets nobody offer it", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner, { says: ssh });
    const plan = await madePlan(owner, { ...closed, nodes: [host.nodeId] });
    expect(plan.state).toBe("draft");
    expect(plan.findings.refuse).toBeGreaterThan(0);
    const listed = await owner.call<{ items: PlanSectionView[] }>("GET", `/api/plans/${plan.id}/sections`);
    const packets = listed.body.items[0]?.findings.flatMap(({ packet }) => packet ?? []).join("; ");
    expect(packets).toContain("198.51.100.7");
    const offered = await owner.call<Refused>("POST", `/api/plans/${plan.id}/review`, {
      headers: { "If-Match": plan.tag },
    });
    expect(offered.body.code).toBe("plan.lint_refused");
  });

  test("judges the management networks of the plan, which must be networks", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner, { says: { "host:ssh": { ports: [22], peers: [] } } });
    const rules = [
      { label: "answers", verdict: "accept", states: ["established", "related"] },
      { label: "loopback", verdict: "accept", interfaces: ["lo"] },
      { label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }], sources: ["10.0.0.0/8"] },
      {
        label: "control",
        verdict: "accept",
        protocol: "tcp",
        ports: [
          { from: 1, to: 21 },
          { from: 23, to: 65535 },
        ],
      },
    ];
    const operations = [{ kind: "firewall.apply", table: "gatehouse_netguard", input: { policy: "drop", rules } }];
    const ask = (management: string[]) =>
      askForPlan(owner, { ...closed, operations, nodes: [host.nodeId], management });
    expect((await ask(["10.1.0.0/16"])).body.state).toBe("in_review");
    expect((await ask(["192.168.0.0/16"])).body.state).toBe("draft");
    expect((await ask(["nowhere"])).body.code).toBe("request.malformed");
  });
});

describe("how a host lets changes be approved", () => {
  test.each([
    ["none", ["host.takes_none"]],
    ["server", ["host.server_trusted"]],
    ["signed", []],
  ] as const)("%s: is asked beside the rest, shown and linted, and no precondition", async (accepts, codes) => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner, { says: { ...says, "host:trust": { accepts, trust: null } } });
    const plan = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    const listed = await owner.call<{ items: PlanSectionView[] }>("GET", `/api/plans/${plan.id}/sections`);
    const [section] = listed.body.items;
    expect(section?.accepts).toBe(accepts);
    expect(section?.preconditions.map(({ subject }) => subject)).toEqual(["service:nginx.service"]);
    expect(section?.findings.map(({ code }) => code)).toEqual([...codes, "service.not_undone"]);
  });
});

describe("a plan in review", () => {
  test("is rejected with a reason by those who approve, and by nobody else; withdrawn by its author alone", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner);
    const operator = await newVisitor(server, owner, "operator");
    const approver = await newVisitor(server, owner, "approver");
    const plan = await madePlan(operator, { ...restart, nodes: [host.nodeId] });
    const headers = { "If-Match": plan.tag };
    const move = (by: typeof owner, what: string, body: object | undefined, tag = headers) =>
      by.call<Plan & Refused>("POST", `/api/plans/${plan.id}/${what}`, { ...(body && { body }), headers: tag });
    expect((await move(operator, "rejection", { reason: "no" })).status).toBe(403);
    expect((await move(owner, "withdrawal", {})).body.code).toBe("plan.not_own");
    expect((await move(approver, "rejection", { reason: "no" }, { "If-Match": '"999999"' })).status).toBe(412);
    const rejected = await move(approver, "rejection", { reason: "not before the weekend" });
    expect(rejected.body).toMatchObject({ state: "rejected", reason: "not before the weekend" });
    const tag = { "If-Match": rejected.headers.get("etag") ?? "" };
    expect((await move(operator, "withdrawal", {}, tag)).body.code).toBe("plan.move_refused");
    const second = await madePlan(operator, { ...restart, nodes: [host.nodeId] });
    const withdrawn = await operator.call<Plan>("POST", `/api/plans/${second.id}/withdrawal`, {
      body: {},
      headers: { "If-Match": second.tag },
    });
    expect(withdrawn.body).toMatchObject({ state: "rejected", reason: null });
    expect(await server.actions()).toEqual(expect.arrayContaining(["plan.rejected", "plan.withdrawn"]));
  });

  test("is drafted by an assistant and offered by a person", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner);
    const scopes = ["plan:create", "plan:read"];
    const { visitor: assistant } = await tokenVisitor(server, owner, { scopes, class: "assistant" });
    const plan = await madePlan(assistant, { ...restart, nodes: [host.nodeId], review: true });
    expect(plan.state).toBe("linted");
    const offer = (by: typeof owner) =>
      by.call<Plan & Refused>("POST", `/api/plans/${plan.id}/review`, { headers: { "If-Match": plan.tag } });
    expect((await offer(assistant)).body.code).toBe("plan.person_needed");
    expect((await offer(owner)).body.state).toBe("in_review");
  });

  test("is closed when another takes its place, in the same commit", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner);
    const first = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    const second = await madePlan(owner, { ...restart, nodes: [host.nodeId], replaces: first.id });
    expect(second.replaces).toBe(first.id);
    const closed = await owner.call<Plan>("GET", `/api/plans/${first.id}`);
    expect(closed.body).toMatchObject({ state: "expired", reason: "superseded", replacedBy: second.id });
    const again = await askForPlan(owner, { ...restart, nodes: [host.nodeId], replaces: first.id });
    expect(again.body.code).toBe("plan.move_refused");
    const unknown = await askForPlan(owner, { ...restart, nodes: [host.nodeId], replaces: `plan_${"0".repeat(26)}` });
    expect(unknown.body.code).toBe("plan.unknown");
  });

  test("is closed by its author in person, and by nobody else's plan and no assistant's", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner);
    const other = await newVisitor(server, owner, "operator");
    const scopes = ["plan:create", "plan:read"];
    const { visitor: assistant } = await tokenVisitor(server, owner, { scopes, class: "assistant" });
    const first = await madePlan(owner, { ...restart, nodes: [host.nodeId] });
    const replacing = { ...restart, nodes: [host.nodeId], replaces: first.id };
    expect((await askForPlan(other, replacing)).body.code).toBe("plan.not_own");
    expect((await askForPlan(assistant, replacing)).body.code).toBe("plan.person_needed");
    const withdrawn = { headers: { "If-Match": first.tag }, body: {} };
    const answer = await assistant.call<Refused>("POST", `/api/plans/${first.id}/withdrawal`, withdrawn);
    expect(answer.body.code).toBe("plan.person_needed");
    const left = await owner.call<{ items: Plan[] }>("GET", "/api/plans");
    expect(left.body.items.map(({ id, state }) => [id, state])).toEqual([[first.id, "in_review"]]);
  });

  test("is listed by its state, the newest first", async () => {
    const { server, owner } = await startPlanned();
    const { host } = await managedPretend(server, owner);
    const plans = [];
    for (const review of [true, false, true]) {
      plans.push(await madePlan(owner, { ...restart, nodes: [host.nodeId], review }));
      server.clock.advance(5);
    }
    const list = async (query: string) =>
      (await owner.call<{ items: Plan[]; nextCursor: string | null }>("GET", `/api/plans${query}`)).body;
    expect((await list("")).items.map(({ id }) => id)).toEqual(plans.map(({ id }) => id).toReversed());
    expect((await list("?state=linted")).items.map(({ id }) => id)).toEqual([plans[1]?.id]);
    const first = await list("?limit=2");
    expect((await list(`?cursor=${first.nextCursor}`)).items.map(({ id }) => id)).toEqual([plans[0]?.id]);
  });
});
