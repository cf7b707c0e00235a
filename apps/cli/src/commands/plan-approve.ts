import { type Report, UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { approvePlanRoute, orderMinutes, type Plan, rollbackWindows } from "@gatehouse/contract/routes";
import { planLimits } from "@gatehouse/plan";
import { type GivenTerms, parseTerms, unsaidWindow } from "../approvals/approval-terms.ts";
import { approveForServer } from "../approvals/approve-for-server.ts";
import { approveSigned, rememberApproved } from "../approvals/approve-signed.ts";
import { parseYes } from "../approvals/confirm-digest.ts";
import { namedHost } from "../approvals/describe-approval.ts";
import { readApproverKey } from "../approvals/sign-statement.ts";
import { defineCommand } from "../command.ts";
import { getNodeIds } from "../nodes/find-node.ts";
import { readOwnProgram, sayOwnProgram } from "../own-program.ts";
import { type FoundPlan, getNamedPlan, planArgument } from "../plans/find-plan.ts";
import { readPlan } from "../plans/read-plan.ts";
import { checkedAbout } from "../plans/show-plan.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

const topic = "plan approve";

export const planApprove = defineCommand({
  name: topic,
  summary: "approve exactly the bytes of a plan, with your own SSH key",
  about: [
    "Shows the plan as plan show does, and for each host whom it believes, as the host itself signed it; then asks for the last two words of the digest and has ssh-keygen sign. The signature is judged here as the hosts will judge it before it is sent. Nothing is signed that the lint refuses here, nor for a host that does not know the key: --hosts leaves it out.",
    "Where a host wants several persons, the second signs what the first did: --join. Hosts whose root trusts the server need no signature: --server approves for them.",
    checkedAbout,
    `It needs the scopes plan:approve and plan:read. ${proofAbout}`,
    connectionAbout,
  ],
  examples: [
    { why: "With a key of your own", run: "gatehouse plan approve 5d7skrbj --key ~/.ssh/id_ed25519" },
    {
      why: "For some hosts, tonight",
      run: "gatehouse plan approve 5d7skrbj --key ~/.ssh/id_ed25519 --hosts web-1,web-2 --window 4h",
    },
    { why: "As the second person", run: "gatehouse plan approve 5d7skrbj --key ~/.ssh/id_ed25519 --join 9f2c41d0" },
    { why: "For hosts that trust the server", run: "gatehouse plan approve 5d7skrbj --server" },
  ],
  arguments: { plan: planArgument },
  flags: {
    key: { value: "FILE", about: "Your SSH key; a .pub file where an agent or a security key has the private half." },
    server: { about: "For the hosts that trust this server: nobody signs." },
    hosts: { value: "NODE", about: "Only these: id, last digits or name; several with commas.", list: true },
    window: { value: "TIME", about: `How long it holds: 30m, 4h, 7d. Without it, ${unsaidWindow}.` },
    "not-before": { value: "TIME", about: "From when on it holds: 2026-11-15T08:30:00Z. Without it, now." },
    rollback: {
      value: "SECONDS",
      about: `After how long a host takes the change back unless confirmed. Without it, ${rollbackWindows.unsaid}.`,
    },
    join: { value: "APPROVAL", about: "Sign the approval of somebody else too: its id, or how it begins." },
    yes: { value: "DIGEST", about: "For scripts: the first 12 characters of the digest, instead of the question." },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const now = Date.now();
    const { key: keyFile, join, hosts } = given;
    checkTogether(given);
    const yes = parseYes(given.yes, topic);
    const terms = parseTerms(given, now, topic);
    const key = keyFile === undefined ? undefined : await readApproverKey(keyFile);
    const connection = await openConnection(surroundings);
    const found = await getNamedPlan(connection, given.plan);
    checkState(found.plan);
    const checked = await readPlan(connection, found.plan, { node: undefined, most: planLimits.sections });
    const deps = { connection, surroundings, now };
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const send = async (body: object) => {
      const call = { params: { id: found.plan.id }, headers: { "If-Match": found.etag }, body };
      return (await callWithProof({ connection, passwords }, approvePlanRoute, call)).data;
    };
    if (key === undefined) {
      const { trusting, lines } = await approveForServer(checked, { yes }, deps);
      const minutes = Math.round((terms.notAfter - terms.notBefore) / 60_000);
      const plan = await send({
        server: true,
        ...(given["not-before"] !== undefined && { notBefore: new Date(terms.notBefore).toISOString() }),
        minutes,
        rollbackWindow: terms.rollbackWindow,
      });
      return reportOf(plan, found, { lines: yes === undefined ? [] : lines, json: { hosts: trusting.map(namedHost) } });
    }
    const only = hosts === undefined ? undefined : await getNodeIds(connection, hosts);
    const away = only?.find((id) => !checked.document.sections.some(({ node }) => node === id));
    if (away !== undefined) throw fault("node.unknown", `${found.plan.id} is not for ${away}`);
    const made = await approveSigned(checked, { key, only, terms, join, yes }, deps);
    const { statement, ssh } = made.signed;
    const plan = await send({ statement: statement.toBase64(), ssh: ssh.toBase64() });
    await rememberApproved(made.hosts, surroundings, now);
    const { sections: _, ...approval } = made.approval;
    return reportOf(plan, found, {
      lines: yes === undefined ? [] : made.lines,
      json: { approval: asJson(approval), hosts: made.hosts.signed.map((host) => namedHost(host.checked)) },
    });
  },
});

type GivenApproval = GivenTerms & {
  readonly key?: string;
  readonly server?: true;
  readonly hosts?: readonly string[];
  readonly join?: string;
};

/** What others signed has its hosts and times already, and a server's word has neither key nor choice. */
function checkTogether(given: GivenApproval): void {
  const refuse = (why: string) => new UsageError(why, topic);
  if ((given.key === undefined) === (given.server === undefined)) {
    throw refuse("with what: write --key FILE, or --server for hosts that trust the server");
  }
  const surplus = (names: readonly (keyof GivenApproval)[]) => names.find((name) => given[name] !== undefined);
  const ofServer = given.server === undefined ? undefined : surplus(["hosts", "join"]);
  if (ofServer !== undefined) throw refuse(`--${ofServer} is for --key`);
  const ofJoin = given.join === undefined ? undefined : surplus(["hosts", "window", "not-before", "rollback"]);
  if (ofJoin !== undefined) throw refuse(`--${ofJoin} stands in the approval that --join names`);
  if (given.join !== undefined && !/^[0-9a-f]{6,32}$/.test(given.join)) {
    throw refuse("--join takes the id of an approval, or six or more of its first characters");
  }
  const { least, most } = orderMinutes;
  if (given.server === undefined || given.window === undefined) return;
  const { notBefore, notAfter } = parseTerms(given, 0, topic);
  const minutes = (notAfter - notBefore) / 60_000;
  if (minutes < least || minutes > most) throw refuse(`--window must be from ${least}m to ${most / 60}h with --server`);
}

/** Asked before anybody signs: a signature that nobody takes is one that lies around. */
function checkState({ id, state }: Plan): void {
  if (state === "in_review" || state === "approved") return;
  throw fault("plan.move_refused", `${id} is ${state}; to be approved it has to be in_review or approved`);
}

function reportOf(plan: Plan, { plan: { id, digest } }: FoundPlan, more: Pick<Report, "lines" | "json">): Report {
  const own = readOwnProgram();
  const waiting = plan.awaiting ?? 0;
  return {
    ok: true,
    lines: [
      `${plan.title} (${id}) has your approval; it is ${plan.state}.`,
      waiting === 0
        ? "  No host waits for another approval, as the server says."
        : `  ${waiting} of its hosts wait for another approval, as the server says.`,
      `  approved with ${sayOwnProgram(own)}`,
      ...more.lines,
    ],
    json: { plan: asJson(plan), digest, program: asJson(own), ...more.json },
  };
}
