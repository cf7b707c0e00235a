import { createHash } from "node:crypto";
import { type Operation, serialisePlan } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { startPlanServer } from "../../test/plan-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { sendJson } from "../../test/small-server.ts";
import { shownPlanLines } from "../plans/describe-plan.ts";

/** What the CLI makes of a plan, and of a server that shows another one. */
const shown = samplePlan();
const { plan } = shown;
const at = `/api/plans/${plan.id}`;

test("a plan is shown with its digest, its words and who said what it was made from", async () => {
  const { environment } = await startPlanServer();
  const { code, out, err } = await runLine(`plan show ${plan.id}`, { environment });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Write \/etc\/motd, restart nginx\.service: in_review\n/);
  for (const part of [
    plan.digest,
    plan.digest.match(/.{8}/g)?.slice(0, 4).join(" ") ?? "?",
    "computed here from the bytes of the plan",
    "a person",
    "usr_ada, 2026-11-17T04:00:01Z",
    "2026-11-18T04:00:01Z",
    "2 nodes",
    "  1. file.write  file:/etc/motd\n       Writes /etc/motd: 6 bytes, mode 0644, root:root.\n",
    "  2. service.restart  service:nginx.service\n       Restarts nginx.service. A restart cannot be undone.\n",
    "service.not_undone, operation 2: ",
    "what the host signed at 2026-11-17T04:00:00Z, by its own clock",
    ...hosts.map(({ id, name }) => `${name} (${id.slice(-8)})  ${id}`),
  ]) {
    expect(out).toContain(part);
  }
  expect(out).not.toContain("of the server.");
});

test("every program that a host would start is shown when it is asked for, and always in the document", async () => {
  const { environment } = await startPlanServer();
  const work = [
    "     writes /etc/motd:",
    "       Hello",
    "  2. service.restart  service:nginx.service",
    "       Restarts nginx.service. A restart cannot be undone.",
    "     starts:",
  ].join("\n");
  const { out } = await runLine(`plan show ${plan.id} --programs`, { environment });
  expect(out).toContain(`${work}\n       systemctl show nginx.service `);
  expect(out).toContain("       systemctl restart nginx.service  # the change\n");
  expect((await runLine(`plan show ${plan.id}`, { environment })).out).not.toContain("starts:");
  const { found } = await runJson(`plan show ${plan.id}`, { environment });
  expect(found).toMatchObject({
    sections: [
      { operations: [{ files: [{ path: "/etc/motd", text: "Hello\n" }], programs: [] }, { files: [] }] },
      { operations: [{ kind: "file.write" }, { kind: "service.restart" }] },
    ],
  });
});

test("who has approved it is shown, and how many hosts wait for more", () => {
  const base = {
    user: "usr_ada",
    at: "2026-11-17T04:00:02.000Z",
    keyId: null,
    fingerprint: null,
    notBefore: "2026-11-17T04:00:02.000Z",
    notAfter: "2026-11-17T05:00:02.000Z",
    rollbackWindow: 120,
  };
  const approvals = [
    { ...base, id: "0a".repeat(16), kind: "signed", by: "usr_ada", sections: 2 },
    { ...base, id: "0b".repeat(16), kind: "server", by: "usr_bob", sections: 1 },
  ] as const;
  const { document } = shown;
  const around = { management: [], hostKeys: new Map() };
  const linesOf = (more: object) =>
    shownPlanLines({ plan: { ...plan, ...more }, document, sections: [], around, left: 0 }).join("\n");
  const out = linesOf({ approvals, awaiting: 1 });
  expect(out).toMatch(/approvals +(0a){16}, signed by usr_ada for 2 hosts until 2026-11-17T05:00:02Z\n/);
  expect(out).toMatch(/ (0b){16}, a word to the server by usr_bob for 1 host until /);
  expect(out).toMatch(/awaiting +1 host, as the server says/);
  expect(linesOf({})).not.toContain("awaiting");
});

test("it is named by its last digits, and one node of it by its name", async () => {
  const { environment } = await startPlanServer();
  const { code, out } = await runLine("plan show 5d7skrbj --node web-1", { environment });
  expect(code).toBe(0);
  expect(out).toContain("web-1 (");
  expect(out).not.toContain("web-2 (");
  expect(out).toContain("1 node more: see one with --node NODE");
  expect(await runJson("plan show 5d7skrbj --limit 1", { environment })).toMatchObject({
    code: 0,
    found: { ok: true, plan: { digest: plan.digest }, sections: [{ index: 0 }], more: true },
  });
  expect(await runJson("plan show 999999", { environment })).toMatchObject({
    found: { error: { code: "plan.unknown" } },
  });
  expect(await runJson("plan show 5d7skrbj --node nobody", { environment })).toMatchObject({
    found: { error: { code: "node.unknown" } },
  });
  const away = `node_${"0".repeat(26)}`;
  expect(await runJson(`plan show 5d7skrbj --node ${away}`, { environment })).toMatchObject({
    found: { error: { code: "node.unknown", detail: `${plan.id} is not for ${away}` } },
  });
});

test("a draft is exit code 1, with refusals first and the packet that would not be let in", async () => {
  const refused = samplePlan({
    change: { state: "draft", findings: { refuse: 1, warn: 1, note: 0 }, skipped: [{ node: "node_x", name: "db-1" }] },
    findings: [
      { severity: "warn", code: "file.mode", says: "Everybody can read it.", operation: 0, packet: null },
      {
        severity: "refuse",
        code: "firewall.ssh",
        says: "Whoever is connected now is cut off.",
        operation: 1,
        packet: "tcp 192.0.2.7 to port 22",
      },
    ],
  });
  const { environment } = await startPlanServer(refused);
  const { code, out } = await runLine("plan show 5d7skrbj", { environment });
  expect(code).toBe(1);
  expect(out).toContain("db-1, node_x: it was not connected");
  expect(out).toContain("1 refused, 1 warning, as the server counted");
  expect(out).toMatch(
    /refused +firewall\.ssh, operation 2: Whoever .*\n +packet: tcp 192\.0\.2\.7 to port 22\n +the server alone says so\n +warning +file\.mode, operation 1/,
  );
});

test("a plan that the server lets pass and the lint refuses here is exit code 1", async () => {
  const closed: Operation = { kind: "firewall.apply", table: "gatehouse_a", input: { policy: "drop", rules: [] } };
  const { environment } = await startPlanServer(samplePlan({ operations: [closed] }));
  const { code, out } = await runLine("plan show 5d7skrbj", { environment });
  expect([code, out]).toEqual([1, expect.stringMatching(/: in_review\n/)]);
  expect(out).toMatch(/refused +firewall\.\w+, operation 1: .*\n +packet: /);
  expect(out).not.toContain("the server alone says so");
});

/** A tunnel between both hosts; `keys` are those that the plan lets in at each. */
function tunnel(keys: readonly string[]) {
  return (index: number): Operation[] => [
    {
      kind: "network.wireguard",
      interface: "wg0",
      publicKey: wireguardKeys[index] ?? null,
      listenPort: 51_820,
      addresses: [`10.9.0.${index + 1}/24`],
      peers: [{ label: `web-${2 - index}`, publicKey: keys[index] ?? "", allowedIps: [`10.9.0.${2 - index}/32`] }],
    },
  ];
}

const wireguardKeys = ["a", "b"].map((letter) => `${letter.repeat(42)}A=`);

test("a peer is known by the key that its own host signed, also when that host is not asked for", async () => {
  const operations = tunnel(wireguardKeys.toReversed());
  const { environment } = await startPlanServer(samplePlan({ operations, keys: wireguardKeys }));
  for (const more of ["", " --node web-1", " --limit 1"]) {
    const { code, out } = await runLine(`plan show 5d7skrbj${more}`, { environment });
    expect(code).toBe(0);
    expect(out).toContain("network.wireguard  wireguard:wg0");
    expect(out).not.toContain("wireguard.peer_unknown");
  }
});

test("whose key a peer has stands below what it does, as its host signed it, whatever the peer is called", async () => {
  const [one = "", other = ""] = wireguardKeys;
  const foreign = `${"m".repeat(42)}A=`;
  const called = (operation: Operation): Operation =>
    operation.kind === "network.wireguard"
      ? { ...operation, peers: operation.peers.map((peer) => ({ ...peer, label: "db-1" })) }
      : operation;
  const operations = (index: number) => tunnel([other, foreign])(index).map(called);
  const { environment } = await startPlanServer(samplePlan({ operations, keys: wireguardKeys }));
  const [, holder] = hosts;
  const known = `Peer db-1 has the key of ${holder?.name}, ${holder?.id}, as that host signed.`;
  const unknown = "Peer db-1 has a key that no host of this plan has signed.";
  for (const command of ["show", "diff"]) {
    const { out } = await runLine(`plan ${command} 5d7skrbj`, { environment });
    expect(out).toContain(known);
    expect(out).toContain(unknown);
    expect((await runLine(`plan ${command} 5d7skrbj --node ${hosts[0]?.name}`, { environment })).out).toContain(known);
  }
  const { found } = await runJson("plan show 5d7skrbj", { environment });
  const peer = { label: "db-1", publicKey: other, hosts: [{ node: holder?.id, name: holder?.name }] };
  expect(found).toMatchObject({
    sections: [
      { operations: [{ peers: [peer] }] },
      { operations: [{ peers: [{ ...peer, publicKey: foreign, hosts: [] }] }] },
    ],
  });
  const shared = samplePlan({ operations: (index) => tunnel([one, one])(index).map(called), keys: [one, one] });
  const { out } = await runLine("plan diff 5d7skrbj", { environment: (await startPlanServer(shared)).environment });
  const both = hosts.map(({ name, id }) => `${name}, ${id}`).join(", and of ");
  expect(out).toContain(`Peer db-1 has the key of ${both}, as they signed: one of them is a copy, or claims it.`);
});

test("a peer that a server in other hands slipped in is found here, whatever the server counted", async () => {
  const [, known = ""] = wireguardKeys;
  const foreign = `${"m".repeat(42)}A=`;
  const shownWith = samplePlan({ operations: tunnel([known, foreign]), keys: wireguardKeys });
  const { environment } = await startPlanServer(shownWith);
  const { found } = await runJson("plan show 5d7skrbj", { environment });
  expect(found).toMatchObject({
    sections: [
      { findings: [] },
      { findings: [{ code: "wireguard.peer_unknown", by: "here", says: expect.stringContaining(foreign) }] },
    ],
  });
});

test("a plugin's plan names the bytes of the plugin and of its input", async () => {
  const [artifactSha256, inputSha256] = ["a".repeat(64), "b".repeat(64)];
  const source = { from: "plugin", plugin: "netguard", version: "1.0.0", artifactSha256, inputSha256 } as const;
  const { environment } = await startPlanServer(samplePlan({ source }));
  const { out } = await runLine("plan show 5d7skrbj", { environment });
  for (const part of ["plugin netguard 1.0.0", `artifact sha256 ${artifactSha256}`, `input sha256 ${inputSha256}`]) {
    expect(out).toContain(part);
  }
});

test("a diff has + and - before what comes and goes", async () => {
  const { environment } = await startPlanServer();
  const { code, out } = await runLine("plan diff 5d7skrbj --node web-1", { environment });
  expect(code).toBe(0);
  expect(out).toContain(plan.digest);
  const hash = createHash("sha256").update("Hello\n").digest("hex");
  expect(out).toContain(
    `  1. file.write  file:/etc/motd\n    + sha256 ${hash}, mode 0644, root:root\n    + Hello\n  2. service.restart  service:nginx.service\n      nginx.service\n      its unit file is not changed: sha256 ${"f".repeat(64)}, enabled\n`,
  );
  expect(out).not.toContain("harmless lines");
});

test("what the server says reaches no terminal as a command", async () => {
  const evil = { ...shown, views: shown.views.map((view) => ({ ...view, name: "web\u001b[2J\u202e\nroot" })) };
  const { environment } = await startPlanServer(evil);
  for (const verb of ["show", "diff"]) {
    const { out } = await runLine(`plan ${verb} 5d7skrbj`, { environment });
    expect(out).toContain("web\\u001b[2J\\u202e\\u000aroot");
  }
});

const other = serialisePlan({ ...shown.document, header: { ...shown.document.header, summary: "Harmless." } });

test.each([
  ["another document than its digest names", { ...shown, bytes: other }, "cli.plan_differs"],
  ["another digest than its document has", { ...shown, plan: { ...plan, digest: "0".repeat(64) } }, "cli.plan_differs"],
  ["another title than the plan has", { ...shown, plan: { ...plan, title: "Harmless" } }, "cli.plan_differs"],
  ["a node less than the plan has", { ...shown, views: shown.views.slice(1) }, "cli.plan_differs"],
  ["its nodes in another order", { ...shown, views: shown.views.toReversed() }, "cli.plan_differs"],
  [
    "states that the host has not signed",
    {
      ...shown,
      views: shown.views.map((view, index) => ({ ...view, states: shown.views[1 - index]?.states ?? null })),
    },
    "cli.host_states_differ",
  ],
  [
    "nothing that the host has signed",
    { ...shown, views: shown.views.map((view) => ({ ...view, states: null })) },
    "cli.host_states_differ",
  ],
])("a server that shows %s is not believed, and nothing is shown", async (_, evil, code) => {
  const { environment } = await startPlanServer(evil);
  for (const verb of ["show", "diff"]) {
    const { code: exit, out, err } = await runLine(`plan ${verb} ${plan.id}`, { environment });
    expect([exit, out], verb).toEqual([1, ""]);
    expect(err).toContain(`gatehouse: ${code}: `);
  }
});

test("an answer for another plan is no answer, nor is one whose version nobody can know", async () => {
  for (const [answer, why] of [
    [{ ...plan, id: `plan_${"1".repeat(26)}` }, "another plan"],
    [plan, "without an ETag"],
  ] as const) {
    const { environment } = await startPlanServer(shown, {
      [`GET ${at}`]: (response) => {
        if (answer !== plan) response.setHeader("ETag", '"3"');
        sendJson(response, 200, answer);
      },
    });
    const { code, err } = await runLine(`plan show ${plan.id}`, { environment });
    expect([code, err]).toEqual([1, expect.stringContaining(why)]);
  }
});

test("what cannot be meant is refused before anything is sent", async () => {
  const { server, environment } = await startPlanServer();
  for (const line of [
    "plan show",
    "plan show plan_1",
    "plan show abcde",
    "plan show 5d7skrbj --limit 0",
    "plan diff 5d7skrbj --limit 10001",
    "plan list --state finished",
    "plan list --limit x",
  ]) {
    expect((await runLine(line, { environment })).code, line).toBe(2);
  }
  expect(server.received).toEqual([]);
});
