import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Approval, readApproval, sectionsOf } from "@gatehouse/approval";
import { parseTrust } from "@gatehouse/approval/verify";
import { planWords } from "@gatehouse/channel";
import { type Operation, serialisePlan } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { believing, newApprover, newHome } from "./approver.ts";
import { judgedBy, lineOf, samples, type Sent, startApproving, statementBytes, yesOf } from "./approving.ts";
import { newPerson } from "./gatehouse.ts";
import { answering } from "./no-terminal.ts";
import { runJson, runLine } from "./run-commands.ts";
import { hosts, samplePlan } from "./sample-plan.ts";

/** What an approver's command line signs, with ssh-keygen itself, and what it refuses to sign. */
test("what a person confirms with two words is signed, sent, and believed by every host", async () => {
  const { home } = newHome();
  const { ada, trust, shown } = samples(home);
  const { environment, sent, server } = await startApproving(shown);
  const words = planWords(shown.plan.digest);
  const terminal = answering(` ${words.slice(-2).join("  ").toUpperCase()} `);
  const { code, out, err } = await runLine(lineOf(shown, ada), { environment, terminal });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /has your approval; it is approved\.\n.*No host waits.*\n.*approved with gatehouse .*of a checkout\n$/s,
  );
  const said = terminal.shown.join("\n");
  for (const part of [
    shown.plan.title,
    shown.plan.digest,
    words.join(" "),
    "Writes /etc/motd: 6 bytes, mode 0644, root:root.",
    parseTrust(Uint8Array.fromBase64(trust.trust)).digest,
    "is of ada, one of 1 person; it takes 1 person",
    "signatures, as the host signed it",
    "never signed for from here",
    " ago",
  ]) {
    expect(said).toContain(part);
  }
  expect(said).not.toContain("of the server.");
  expect(server.received.find(({ method }) => method === "POST")?.headers["if-match"]).toBe('"3"');
  const judged = judgedBy(shown, sent(), [trust, trust]);
  expect(judged.map(({ persons }) => persons)).toEqual([["ada"], ["ada"]]);
  const approval = judged[0]?.approval as Approval;
  expect(sectionsOf(approval.sections)).toEqual([0, 1]);
  expect(approval).toMatchObject({ rollbackWindow: 120, confirmation: 1, settle: 0 });
  expect(approval.notAfter - approval.notBefore).toBe(60 * 60_000);
  expect(approval.trust).toHaveLength(1);
});

test("words that are not the plan's sign and send nothing, and neither does a wrong --yes", async () => {
  const { home } = newHome();
  const { ada, shown } = samples(home);
  const { environment, sent } = await startApproving(shown);
  // Without its private half nothing could be signed: the refusal comes before.
  rmSync(ada.file);
  const terminal = answering("sofa host");
  expect(await runJson(lineOf(shown, ada), { environment, terminal })).toMatchObject({
    code: 1,
    found: { error: { code: "cli.not_confirmed" } },
  });
  expect(await runJson(`${lineOf(shown, ada)} --yes 000000000000`, { environment })).toMatchObject({
    found: { error: { code: "cli.not_confirmed" } },
  });
  expect(await runJson(`${lineOf(shown, ada)} --yes ${yesOf(shown)}`, { environment })).toMatchObject({
    found: { error: { code: "cli.signing_failed" } },
  });
  expect(sent()).toEqual([]);
});

test("on a terminal the plan is shown before the question, and ssh-keygen asks for the passphrase there", async () => {
  const { home } = newHome();
  const ada = newApprover(home, "ada", "correct horse");
  const trust = believing([ada]);
  const shown = samplePlan({ trust: [trust, trust] });
  const { environment, sent, server } = await startApproving(shown);
  const person = await newPerson(server.url.origin);
  const program = person.onTerminal(
    `export GATEHOUSE_TOKEN=${environment["GATEHOUSE_TOKEN"]}; gatehouse ${lineOf(shown, ada)}`,
  );
  await program.waitFor(shown.plan.digest);
  await program.waitFor("type the last two words of the digest: ");
  program.write(`${planWords(shown.plan.digest).slice(-2).join(" ")}\n`);
  await program.waitFor("passphrase");
  program.write("correct horse\n");
  const { code, out } = await program.ended;
  expect([code, out]).toEqual([0, expect.stringContaining("has your approval")]);
  expect(judgedBy(shown, sent(), [trust])[0]?.persons).toEqual(["ada"]);
});

test("a script names the digest, hosts, times and the rollback, and gets one document", async () => {
  const { home } = newHome();
  const { ada, trust, shown } = samples(home);
  const { environment, sent } = await startApproving(shown);
  const begin = new Date(Date.now() + 3_600_000).toISOString();
  const line = `${lineOf(shown, ada)} --yes ${yesOf(shown)} --hosts ${hosts[1]?.id} --window 4h --not-before ${begin} --rollback 30`;
  const { code, found } = await runJson(line, { environment });
  expect({ code, found }).toMatchObject({
    code: 0,
    found: {
      ok: true,
      digest: shown.plan.digest,
      program: { sha256: null },
      hosts: [{ node: hosts[1]?.id, name: hosts[1]?.name }],
      approval: { keyId: ada.keyId, notBefore: Date.parse(begin), notAfter: Date.parse(begin) + 4 * 3_600_000 },
    },
  });
  const approval = readApproval(statementBytes(sent()[0] as Sent).statement);
  expect(approval).toMatchObject({
    rollbackWindow: 30,
    trust: [parseTrust(Uint8Array.fromBase64(trust.trust)).digest],
  });
  expect(sectionsOf((approval as Approval).sections)).toEqual([1]);
});

test("hosts are remembered by their first name; a name that moves to another node is told loudly", async () => {
  const { home } = newHome();
  const { ada, shown } = samples(home);
  const { environment } = await startApproving(shown);
  const run = (at: typeof environment, more = "") => {
    return runLine(`${lineOf(shown, ada)} --yes ${yesOf(shown)}${more}`, { environment: at });
  };
  expect((await run(environment, ` --hosts ${hosts[0]?.id}`)).code).toBe(0);
  const file = join(environment["XDG_CONFIG_HOME"] ?? "", "gatehouse/hosts.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ [hosts[0]?.id ?? ""]: { name: hosts[0]?.name } });
  const names = hosts.map(({ name }) => name).toReversed();
  const views = shown.views.map((view, index) => ({ ...view, name: names[index] ?? "" }));
  const swapped = await startApproving({ ...shown, views });
  const { out } = await run({ ...swapped.environment, XDG_CONFIG_HOME: environment["XDG_CONFIG_HOME"] ?? "" });
  expect(out).toContain(`it was called ${hosts[0]?.name}`);
  expect(out).toContain(`the ${hosts[0]?.name} that you know is ${hosts[0]?.id}`);
  expect((await run(environment)).out).toContain("signed for from here since 20");
});

test("another plan than its digest names, and a host that is not shown, are never signed", async () => {
  const { home } = newHome();
  const { ada, shown } = samples(home);
  const other = samplePlan({ operations: [{ kind: "service.restart", unit: "nginx.service" }] });
  for (const lie of [
    { ...shown, bytes: serialisePlan(other.document) },
    { ...shown, views: shown.views.slice(1) },
  ]) {
    const { environment, sent } = await startApproving(lie);
    expect(await runJson(`${lineOf(shown, ada)} --yes ${yesOf(shown)}`, { environment })).toMatchObject({
      code: 1,
      found: { error: { code: "cli.plan_differs" } },
    });
    expect(sent()).toEqual([]);
  }
});

test("a host that would never take it is named, and can be left out", async () => {
  const { home } = newHome();
  const [ada, eve] = [newApprover(home, "ada"), newApprover(home, "eve")];
  const good = believing([ada]);
  const cases: readonly (readonly [unknown, string])[] = [
    [believing([eve]), "cli.key_not_known"],
    [{ accepts: "none", trust: null }, "cli.host_takes_none"],
    [undefined, "cli.host_takes_none"],
    [{ accepts: "signed", trust: null }, "cli.host_trust_unsound"],
    [{ accepts: "signed", trust: Buffer.from("{}\n").toString("base64") }, "cli.host_trust_unsound"],
    [{ accepts: "everything" }, "cli.host_trust_unsound"],
    [believing([ada], { notAfter: 1_000 }), "cli.host_trust_unsound"],
  ];
  for (const [told, expected] of cases) {
    const shown = samplePlan({ trust: [good, told] });
    const { environment, sent } = await startApproving(shown);
    const line = `${lineOf(shown, ada)} --yes ${yesOf(shown)}`;
    const { found } = await runJson(line, { environment });
    expect(found, expected).toMatchObject({
      error: { code: expected, detail: expect.stringContaining(hosts[1]?.id ?? "?") },
    });
    expect(sent()).toEqual([]);
    expect(await runLine(`${line} --hosts ${hosts[0]?.name}`, { environment })).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Not approved for:\n  ${hosts[1]?.name} (`),
    });
  }
});

test("the server's own label of a host is never enough", async () => {
  const { home } = newHome();
  const ada = newApprover(home, "ada");
  const plain = samplePlan();
  const shown = { ...plain, views: plain.views.map((view) => ({ ...view, accepts: "signed" as const })) };
  const { environment, sent } = await startApproving(shown);
  expect(await runJson(`${lineOf(shown, ada)} --yes ${yesOf(shown)}`, { environment })).toMatchObject({
    found: { error: { code: "cli.host_takes_none" } },
  });
  expect(sent()).toEqual([]);
});

test("what the lint refuses here is not signed, whatever the server counted", async () => {
  const { home } = newHome();
  const ada = newApprover(home, "ada");
  const closed: Operation = { kind: "firewall.apply", table: "gatehouse_a", input: { policy: "drop", rules: [] } };
  const trust = believing([ada]);
  const shown = samplePlan({ operations: [closed], trust: [trust, trust] });
  const { environment, sent } = await startApproving(shown);
  expect(await runJson(`${lineOf(shown, ada)} --yes ${yesOf(shown)}`, { environment })).toMatchObject({
    found: { error: { code: "plan.lint_refused", detail: expect.stringContaining("firewall.") } },
  });
  expect(sent()).toEqual([]);
});

test("hosts that trust their server need no signature: they are passed over, or approved with --server", async () => {
  const { home } = newHome();
  const ada = newApprover(home, "ada");
  const shown = samplePlan({ trust: [believing([ada]), { accepts: "server", trust: null }] });
  const { environment, sent } = await startApproving(shown);
  const signed = await runLine(`${lineOf(shown, ada)} --yes ${yesOf(shown)}`, { environment });
  expect(signed).toMatchObject({ code: 0, out: expect.stringContaining("needs no signature") });
  const approval = readApproval(statementBytes(sent()[0] as Sent).statement) as Approval;
  expect(sectionsOf(approval.sections)).toEqual([0]);
  const terminal = answering(planWords(shown.plan.digest).slice(-2).join(" "));
  const line = `plan approve ${shown.plan.id} --server --window 2h --rollback 60`;
  expect(await runLine(line, { environment, terminal })).toMatchObject({ code: 0 });
  expect(terminal.shown.join("\n")).toContain("the word of its server, as the host signed it");
  expect(sent()[1]).toEqual({ server: true, minutes: 120, rollbackWindow: 60 });
  const notBefore = new Date(Date.now() + 3_600_000).toISOString();
  const later = `plan approve ${shown.plan.id} --server --yes ${yesOf(shown)} --not-before ${notBefore}`;
  expect(await runLine(later, { environment })).toMatchObject({ code: 0 });
  expect(sent()[2]).toEqual({ server: true, notBefore, minutes: 60, rollbackWindow: 120 });
  const none = samplePlan({ trust: [believing([ada]), believing([ada])] });
  const alone = await startApproving(none);
  expect(
    await runJson(`plan approve ${none.plan.id} --server --yes ${yesOf(none)}`, { environment: alone.environment }),
  ).toMatchObject({ found: { error: { code: "plan.no_host_takes" } } });
  const both = samplePlan({
    trust: [
      { accepts: "server", trust: null },
      { accepts: "server", trust: null },
    ],
  });
  const trusting = await startApproving(both);
  expect(
    await runJson(`${lineOf(both, ada)} --yes ${yesOf(both)}`, { environment: trusting.environment }),
  ).toMatchObject({ found: { error: { code: "plan.no_host_takes" } } });
});

test("what cannot be meant is refused before anything is asked, and a key that is none before anything is sent", async () => {
  const { home } = newHome();
  const { ada, shown } = samples(home);
  const { environment, server } = await startApproving(shown);
  for (const line of [
    "plan approve 5d7skrbj",
    `plan approve 5d7skrbj --key ${ada.file} --server`,
    "plan approve 5d7skrbj --server --hosts web-1",
    "plan approve 5d7skrbj --server --join 9f2c41d0",
    "plan approve 5d7skrbj --server --window 7d",
    `plan approve 5d7skrbj --key ${ada.file} --join 9f2c41d0 --window 1h`,
    `plan approve 5d7skrbj --key ${ada.file} --join nobody`,
    `plan approve 5d7skrbj --key ${ada.file} --window 32d`,
    `plan approve 5d7skrbj --key ${ada.file} --rollback 5`,
    `plan approve 5d7skrbj --key ${ada.file} --rollback 3601`,
    `plan approve 5d7skrbj --key ${ada.file} --not-before 2020-01-01`,
    `plan approve 5d7skrbj --key ${ada.file} --not-before 2999-01-01`,
    `plan approve 5d7skrbj --key ${ada.file} --yes yes`,
  ]) {
    expect((await runLine(line, { environment })).code, line).toBe(2);
  }
  for (const [file, code] of [
    [join(home, "nobody"), "cli.approver_key_unusable"],
    [`${ada.file}.pub.pub`, "cli.approver_key_unusable"],
  ] as const) {
    expect(await runJson(`plan approve 5d7skrbj --key ${file}`, { environment })).toMatchObject({
      found: { error: { code } },
    });
  }
  expect(server.received).toEqual([]);
  const away = `node_${"0".repeat(26)}`;
  expect(await runJson(`${lineOf(shown, ada)} --hosts ${away}`, { environment })).toMatchObject({
    found: { error: { code: "node.unknown" } },
  });
  const ended = await startApproving(samplePlan({ change: { state: "rejected" } }));
  expect(await runJson(lineOf(shown, ada), { environment: ended.environment })).toMatchObject({
    found: { error: { code: "plan.move_refused" } },
  });
});
