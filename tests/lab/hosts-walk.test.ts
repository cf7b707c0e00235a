import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capabilityNames, isHostRisk } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import type { FirewallApply, PlanDocument } from "@gatehouse/plan";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../acceptance/driver/process-driver.ts";
import { firstAdministrator } from "../acceptance/driver/server-driver.ts";
import { type Operator, PluginYard, signIn } from "../acceptance/plugin-yard.ts";
import { childEnvironment } from "../support/child-environment.ts";
import { until } from "../support/until.ts";
import { SshApprover } from "../support/ssh-approver.ts";
import { sectionOf, walkOf } from "../support/walk/walk-of.ts";
import { Walker } from "../support/walk/walker.ts";
import { agentUnit, connected, untilSays } from "./agent-on-host.ts";
import {
  journalOn,
  lastRecordOn,
  tableMadeFrom,
  tableOn,
  untilEnded,
  untilJournal,
  untilNothingIsLeft,
} from "./change-on-host.ts";
import { bringDirectly, makeDirectTask } from "./direct-task.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import { firewallWith } from "./lab-firewalls.ts";
import { type ManagedHost, serverName } from "./managed-host.ts";
import type { ApprovedHost } from "./managed-lab.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { findOutsideChanges, readOutside } from "./outside-state.ts";
import { PageWalk, type TypedStep } from "./page-walk.ts";
import { PlanDesk } from "./plan-desk.ts";
import { serverAddress } from "./wire.ts";

/**
 * docs/operate/firewall.md, walked by somebody who does only what the page says, on two hosts that are enrolled and nothing else. Where
 * the page ends with what no command of ours does, the lab does it: it signs past the lint.
 */
const page = readFileSync(join(root, "docs/operate/firewall.md"), "utf8");
const wire = "192.168.77.0/24";
const table = "gatehouse_netguard";
const passphrase = "fourteen wooden bridges";
const yard = new PluginYard();
let lab: Lab<"web-1" | "web-2"> | undefined;
let hosts: readonly ManagedHost[] = [];
let desk: FleetDesk;
let plans: PlanDesk;
let reader: Walker;
let walk: PageWalk;

beforeAll(async () => {
  // Before the page is followed the server trusts nobody.
  writeFileSync(yard.trustFile, JSON.stringify({ publishers: {} }));
  yard.bundle({ capabilities: capabilityNames.filter(isHostRisk) });
  const { front, hosts: started } = (lab = await openLab(["web-1", "web-2"], { ...yard.settings, ...fleetSettings }));
  hosts = Object.values(started);
  desk = new FleetDesk(front);
  plans = new PlanDesk(desk.owner);
  const authority = join(yard.place, "authority.pem");
  writeFileSync(authority, front.authority);
  const names = join(yard.place, "hosts");
  writeFileSync(names, `127.0.0.1 localhost\n${serverAddress} ${serverName}\n`);
  reader = new Walker({
    place: yard.place,
    cwd: root,
    env: { NODE_EXTRA_CA_CERTS: authority, CURL_CA_BUNDLE: authority },
    through: ["unshare", "--mount", "sh", "-euc", 'mount --bind "$0" /etc/hosts && exec "$@"', names],
    answers: [
      { question: "assphrase of publisher.key: ", answer: passphrase },
      { question: "The same again: ", answer: passphrase },
      { question: "Password of admin at ", answer: firstAdministrator["SERVICE_ADMIN_PASSWORD"] ?? "" },
      { question: "Enter passphrase", answer: passphrase },
      { question: "Enter same passphrase again: ", answer: passphrase },
      { question: "type the last two words of the digest: ", answer: lastTwoWords },
    ],
  });
  walk = new PageWalk({
    reader,
    hosts,
    directory: join(reader.home, "firewall"),
    filled: {
      "https://gatehouse.example.com": front.url,
      "192.0.2.0/24": wire,
      "/srv/gatehouse/plugins/": `${yard.directory}/`,
      "/srv/gatehouse/policy/plugin-trust.json": yard.trustFile,
    },
    restartServer: () => {
      trustAcmeToo();
      return front.restartServer();
    },
  });
});
afterAll(() => lab?.close());

/** What lies there besides is signed by somebody whom the server trusts with everything, and accepted by nobody yet. */
function trustAcmeToo(): void {
  const read = () => JSON.parse(readFileSync(yard.trustFile, "utf8")) as { publishers: object };
  const written = read();
  yard.trust({});
  writeFileSync(yard.trustFile, JSON.stringify({ publishers: { ...written.publishers, ...read().publishers } }));
}

function lastTwoWords(shown: string): string {
  const [, words = ""] = /^ *in words +(.+?)\r?$/m.exec(shown) ?? [];
  return words.split(" ").slice(-2).join(" ");
}

const part = (heading: string) => sectionOf(page, `## ${heading}`);

/** What a refused plan holds, so that the lab can sign the very same. */
async function operationOf({ shown }: TypedStep): Promise<FirewallApply> {
  const [id] = /\bplan_[0-9a-z]{26}\b/.exec(shown) ?? [];
  const plan = await plans.read<PlanDocument>(`/api/plans/${id}/document`);
  const [operation] = plan.sections[0]?.operations ?? [];
  if (operation?.kind !== "firewall.apply") throw new Error("the plan has no firewall");
  return operation;
}

/** Both hosts, with the approver whom their root has named: the reader, whose key the lab opens. */
async function approvedHosts(): Promise<ApprovedHost[]> {
  const key = join(reader.home, ".ssh/gatehouse");
  const words = ["-q", "-p", "-P", passphrase, "-N", "", "-f", key];
  execFileSync("ssh-keygen", words, { env: childEnvironment(), stdio: "pipe" });
  const approver = new SshApprover("ed25519", key);
  return Promise.all(hosts.map(async (host) => ({ host, node: await desk.online(host), approver })));
}

/** What `plan show` says of a part that the lint refuses. */
function refusedWith(code: string, packet: string): RegExp {
  return new RegExp(`refused +${RegExp.escape(code)}, .*\n +packet: ${RegExp.escape(packet)}\n`);
}

describe("whoever follows the page", () => {
  test("has a firewall on two hosts that an approver signed, and that both made and confirmed", async () => {
    const [intro = ""] = page.split("\n## ");
    await walk.take(intro);
    await walk.take(part("Netguard"));
    // Not before the restart that the page asks for: hosts come back from one at a moment of their own.
    await Promise.all(hosts.map(async (host) => host.shell(await desk.line({ tags: ["web"] }))));
    for (const host of hosts) await desk.online(host);
    for (const heading of ["Your key", "What each host lets happen", "The plan", "Approve and apply"])
      await walk.take(part(heading));
    console.log(walk.figures("from two enrolled hosts to a confirmed firewall"));
    for (const host of hosts) {
      expect((await journalOn(host)).map(({ kind }) => kind)).toEqual(expect.arrayContaining(["confirmed", "ended"]));
      expect(await untilEnded(host)).toBe("applied");
      expect(await host.shell(`nft list table inet ${table}`)).toContain(
        `ip saddr ${wire} ct state new tcp dport 22 accept`,
      );
    }
  });

  test("cannot have one that locks them out: the lint names the packet, and hosts refuse it from whoever signs it", async () => {
    const steps = await walk.take(part("A firewall that locks you out"), /plan create/);
    const [made] = steps as [TypedStep];
    expect(made.shown).toMatch(refusedWith("firewall.ssh_cut", `tcp from ${wire} to port 22 (new connection)`));
    const operation = await operationOf(made);
    for (const on of await approvedHosts()) {
      const answer = await bringDirectly(on.host, await makeDirectTask(on, operation));
      expect(answer).toMatchObject({ ok: false, code: "ceiling.keep" });
    }
  });
});

describe("a firewall that locks the server out", () => {
  let operation: FirewallApply;

  test("is refused by the lint, which names the packet, and nobody can approve it", async () => {
    const steps = await walk.take(part("A firewall that locks the server out"), /plan (?:show|approve)/);
    const made = steps.find(({ command }) => command.includes("plan show")) as TypedStep;
    expect(made.shown).toMatch(refusedWith("firewall.answers_cut", "tcp from 0.0.0.0/0 (open connection)"));
    operation = await operationOf(made);
    console.log(walk.figures("two firewalls that lock out, refused"));
  });

  test("is taken back by the host alone, if somebody signs it all the same", async () => {
    await Promise.all((await approvedHosts()).map((on) => expectTakenBack(on, operation)));
    // The way to the server answers: both hosts say, signed, what they are like, and the next plan can be made.
    const [create] = walkOf(part("The plan")).steps;
    const { shown } = await reader.type(walk.fill(create?.command ?? ""));
    expect(shown).toContain("Firewall for 2 nodes: in_review");
  });
});

describe("the activation of a plugin that may ask for everything", () => {
  test("leaves plans, approvals, tasks and the hosts as they were, though there is a plan that could be begun", async () => {
    const [first, second] = (await approvedHosts()) as [ApprovedHost, ApprovedHost];
    await plans.makePlan([firewallWith(8_080, table)], first.node, second.node);
    const ready = await plans.makePlan([firewallWith(8_081, table)], first.node);
    const statement = await plans.statementFor(ready, first.node, first.approver);
    expect((await plans.bring(ready, "approvals", statement)).json).toMatchObject({ state: "approved", awaiting: 0 });
    const operator = await signIn((lab as NonNullable<typeof lab>).front.server);
    const before = await allOfPlans(operator);
    expect(before).toContainEqual(expect.objectContaining({ state: "in_review" }));
    expect(before).toContainEqual(
      expect.objectContaining({
        state: "done",
        approvals: [expect.anything()],
        tasks: hosts.map(() => expect.anything()),
      }),
    );
    const outside = await Promise.all(hosts.map(readOutside));
    const journals = await Promise.all(hosts.map(lastRecordOn));

    for (const status of ["installed", "active"]) expect((await operator.move("acme-hello", status)).status).toBe(200);
    expect(await operator.find("acme-hello")).toMatchObject({ status: "active", runtime: { state: "armed" } });
    for (const action of ["describe", "health"]) expect((await operator.ask("acme-hello", action)).status).toBe(200);

    expect(await allOfPlans(operator)).toEqual(before);
    expect(await Promise.all(hosts.map(lastRecordOn))).toEqual(journals);
    for (const [at, host] of hosts.entries())
      expect(await findOutsideChanges(host, outside[at] ?? new Map())).toEqual([]);
  });
});

/** Every plan there is, with its approvals and its tasks. */
async function allOfPlans(operator: Operator): Promise<readonly object[]> {
  const listed = async (path: string) => {
    const { json, status, text } = await operator.get(path);
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return json["items"] as Plan[];
  };
  const all = await listed("/api/plans?limit=200");
  return Promise.all(
    all.map(async (plan) => ({
      ...plan,
      approvals: await listed(`/api/plans/${plan.id}/approvals`),
      tasks: await listed(`/api/plans/${plan.id}/tasks`),
    })),
  );
}

/** The shortest window in which a host that others starve still gets as far as its proof. */
const rollbackWindow = 15;

async function expectTakenBack(on: ApprovedHost, operation: FirewallApply): Promise<void> {
  const { host } = on;
  const findPid = () => host.shell(`systemctl show ${agentUnit} --property=MainPID --value`);
  const pid = await findPid();
  const [before, last] = [await tableOn(host, table), await lastRecordOn(host)];
  const wanted = await tableMadeFrom(host, operation);
  const task = await makeDirectTask(on, operation, { rollbackWindow });
  expect(await bringDirectly(host, task)).toMatchObject({ ok: true, taken: true });
  await untilJournal(host, "probe", last);
  expect(await tableOn(host, table)).toEqual(wanted);
  // Whatever connection there was is gone: only a new one can prove anything.
  await until(
    `the network part of ${host.name} is another process`,
    async () => ![pid, "0\n"].includes(await findPid()),
  );
  expect(await untilEnded(host, last)).toBe("rolled_back confirm.late");
  expect(await tableOn(host, table)).toEqual(before);
  await untilNothingIsLeft(host);
  // The host need not pause before it tries again.
  await host.shell(`systemctl restart ${agentUnit}`);
  await untilSays(host, connected);
}
