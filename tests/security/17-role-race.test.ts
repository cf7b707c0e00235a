import type { Role } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import {
  type AuditItem,
  call,
  enter,
  type Headers,
  newPerson,
  newToken,
  type Person,
  readAudit,
} from "./support/people.ts";
import { makePluginPlace, startOver } from "./support/plugins.ts";
import { move, newPlan, plannedHost, restartNginx, shownPlan, tasksOf } from "./support/plans.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** NetBird, Grafana: of two changes at once, one was decided by what the other had just taken away. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;
const updates = 1_000;

test("a thousand changes of roles at once leave an owner, and each was made by one", async (context) => {
  const chance = new Chance("roles");
  const first = await enter(port);
  const targets = [first];
  for (const name of ["ann", "ben", "cem", "dua", "eve"]) targets.push(await newPerson(port, first, "owner", name));
  // A change ends the sessions of whom it concerns; they sign in again, so the demoted go on trying until the end.
  const actors = targets.map((person) => new Actor(person));
  // Most aim at the version that was seen last, by whoever saw it: those are the ones that race.
  const seen = new Map<string, string>();
  const requests = Array.from({ length: updates }, () => ({
    actor: chance.pick(actors),
    id: chance.pick(targets).id,
    body: chance.pick<{ role: Role; disabled?: boolean }>([
      { role: "viewer" },
      { role: "viewer" },
      { role: "operator" },
      { role: "owner", disabled: false },
    ]),
  }));
  const answers = await inLanes(requests, 64, async ({ actor, id, body }) => {
    const headers = [["If-Match", seen.get(id) ?? '"1"']] as const;
    const as = await actor.as;
    const answer = await call<{ detail?: string }>(port, "PATCH", `/api/users/${id}`, { as, headers, body });
    if (answer.status === 401 || answer.code === "auth.step_up_required") actor.signInAgain(as);
    const version = /has version (\d+),/.exec(answer.body.detail ?? "")?.[1];
    if (version !== undefined) seen.set(id, `"${version}"`);
    else if (answer.status === 200) seen.set(id, answer.raw.headers.get("etag") ?? '"1"');
    return answer;
  });
  expect(answers.filter(({ status }) => status >= 500 || status === 0)).toEqual([]);
  const done = answers.filter(({ status }) => status === 200).length;
  expect(done).toBeGreaterThan(10);

  // Whoever is left can read it all: there is at least one enabled owner, who can sign in.
  const { owner, audit } = await findOwner(targets);
  const told = replay(audit);
  expect(told.wrong).toEqual([]);
  expect(told.fewest).toBeGreaterThanOrEqual(1);
  expect(told.changes).toBeGreaterThan(10);
  const { body } = await call<{ items: { id: string; role: Role; disabled: boolean }[] }>(port, "GET", "/api/users", {
    as: owner,
  });
  for (const { id, role, disabled } of body.items) expect(told.now.get(id)).toEqual({ role, disabled });
  tried(
    context,
    `${count(updates, "updates at once")}, ${count(told.changes, "made")}, at the fewest ${count(told.fewest, "enabled owners")}`,
  );
});

test("whatever is done with a plan at once, its author approves nothing, and what was ended is applied by nobody", async (context) => {
  await using place = await makePluginPlace();
  await using started = await startOver(place);
  const { port: at, owner } = started;
  const author = await newPerson(at, owner, "operator", "author");
  const approver = await newPerson(at, owner, "approver", "approver");
  const host = await plannedHost(at, owner);
  const chance = new Chance("plans at once");
  const rounds = Math.ceil(counts["17 changes at once"] / 10);
  let applied = 0;
  for (let round = 0; round < rounds; round += 1) {
    const plan = await newPlan(at, author.as, { ...restartNginx, nodes: [host.nodeId] });
    const deeds = [
      { as: approver.as, deed: "approvals", body: { server: true } },
      { as: author.as, deed: "approvals", body: { server: true } },
      { as: approver.as, deed: "rejection", body: { reason: "not now" } },
      { as: author.as, deed: "withdrawal", body: {} },
      { as: author.as, deed: "apply" },
      { as: approver.as, deed: "apply" },
    ];
    // A third races to be approved, a third to be applied or ended, and a third to be applied.
    if (round % 3 > 0) await move(at, approver.as, plan.id, { deed: "approvals", body: { server: true } });
    const open = round % 3 === 2 ? deeds.filter(({ deed }) => deed === "apply") : deeds;
    const many = Array.from({ length: 10 }, () => chance.pick(open));
    // All of them have seen the same plan, so one of them at the most moves it.
    const { tag } = await shownPlan(at, owner.as, plan.id);
    const answers = await Promise.all(many.map(({ as, ...deed }) => move(at, as, plan.id, { ...deed, tag })));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const made = many.filter((_, index) => answers[index]?.status === 200);
    expect(made.filter(({ as, deed }) => as === author.as && deed === "approvals")).toEqual([]);
    expect(made.filter(({ as, deed }) => as === approver.as && deed === "apply")).toEqual([]);
    expect(made.length).toBeLessThanOrEqual(1);
    const { state, approvals } = await shownPlan(at, owner.as, plan.id);
    const tasks = await tasksOf(at, owner.as, plan.id);
    const ran = made.some(({ deed }) => deed === "apply");
    expect(tasks.length, state).toBe(ran ? 1 : 0);
    if (ran) {
      expect(approvals.map(({ by }) => by)).toEqual([approver.id]);
      const task = await host.nextTask();
      host.connection.send({ t: "task-refused", task: task.task, code: "ceiling.refused", detail: "not here" });
      await expect.poll(async () => (await shownPlan(at, owner.as, plan.id)).state).toBe("done");
      applied += 1;
    }
  }
  expect(applied).toBeGreaterThan(0);
  tried(context, `${count(rounds * 10, "moves of plans at once")}, ${count(applied, "applied")}`);
});

test("transitions of plugins at once follow the table one by one, and each was made by somebody who might", async (context) => {
  const place = await makePluginPlace();
  const ids = ["acme-race-a", "acme-race-b", "acme-race-c"];
  for (const id of ids) await placeBundle(place.directory, makeBundle({ id }));
  await using started = await startOver(place);
  const second = await newPerson(started.port, started.owner, "owner", "second");
  const viewer = await newPerson(started.port, started.owner, "viewer", "vera");
  // Tokens: a session has to prove its password again after five minutes.
  const admins: Headers[] = [];
  for (const owner of [started.owner, second]) {
    admins.push((await newToken(started.port, owner, ["plugin:admin"])).as);
  }
  const chance = new Chance("transitions");
  const requests = Array.from({ length: counts["17 changes at once"] }, () => ({
    id: chance.pick(ids),
    status: chance.pick(["installed", "active", "active", "disabled", "disabled", "verified"] as const),
    as: chance.below(5) === 0 ? viewer.as : chance.pick(admins),
  }));
  const answers = await inLanes(requests, 48, async ({ id, status, as }) => {
    const { status: answered } = await started.move(id, status, undefined, as);
    return { answered, isAdmin: as !== viewer.as };
  });
  // Done, refused as a move or an activation, or not allowed: nothing else.
  expect(answers.filter(({ answered }) => ![200, 403, 409, 422].includes(answered))).toEqual([]);
  expect(answers.filter(({ answered, isAdmin }) => isAdmin === (answered === 403))).toEqual([]);

  const audit = await readAudit(started.port, started.owner.as);
  const moves = audit.filter(({ action }) => /^plugin\.(installed|activated|disabled|activation_failed)$/.test(action));
  const now = new Map(ids.map((id) => [`plugin/${id}`, "verified"]));
  for (const { subject, actor, detail, position } of moves) {
    const { from, to } = detail as { from: string; to: string };
    expect(from, `what was true at ${position}`).toBe(now.get(subject));
    expect(rows[from], `a row of the table at ${position}`).toContain(to);
    expect(actor).not.toBe(viewer.id);
    now.set(subject, to);
  }
  for (const { id, status } of (await started.list()).items) expect(status).toBe(now.get(`plugin/${id}`));
  const done = answers.filter(({ answered }) => answered === 200 || answered === 422).length;
  expect(moves).toHaveLength(done);
  expect(done).toBeGreaterThanOrEqual(ids.length);
  await place[Symbol.asyncDispose]();
  tried(context, `${count(requests.length, "transitions at once")}, ${count(done, "made")}`);
});

/** Somebody who goes on with a new session when theirs has ended: one sign-in for all who wait for it. */
class Actor {
  readonly #person: Person;
  as: Headers | Promise<Headers>;

  constructor(person: Person) {
    this.#person = person;
    this.as = person.as;
  }

  signInAgain(ended: Headers): void {
    if (this.as === ended) this.as = this.#enter();
  }

  async #enter(): Promise<Headers> {
    const { as } = await enter(port, this.#person);
    this.as = as;
    return as;
  }
}

/** The moves of contract 3. An activation that fails leaves a plugin disabled. */
const rows: Readonly<Record<string, readonly string[]>> = {
  verified: ["installed"],
  installed: ["active", "disabled"],
  active: ["disabled"],
  disabled: ["active", "disabled"],
};

interface Rank {
  readonly role: Role;
  readonly disabled: boolean;
}

/** Walks through the changes in the order in which they were kept: who made each must have been an owner just then. */
function replay(audit: readonly AuditItem[]) {
  const now = new Map<string, Rank>();
  const ownerOfToken = new Map<string, string>();
  const wrong: string[] = [];
  let changes = 0;
  let fewest = Infinity;
  const isOwner = (id: string) => now.get(id)?.role === "owner" && now.get(id)?.disabled === false;
  for (const { position, action, subject, actor, detail } of audit) {
    const userId = String(detail["userId"]);
    if (action === "token.issued") ownerOfToken.set(subject.slice("token/".length), userId);
    if (action === "user.created") now.set(userId, { role: detail["role"] as Role, disabled: false });
    if (action !== "user.changed") continue;
    changes += 1;
    const who = actor.startsWith("token:") ? (ownerOfToken.get(actor.slice("token:".length)) ?? "nobody") : actor;
    if (!isOwner(who)) wrong.push(`${position}: ${actor} was no owner`);
    now.set(userId, detail["to"] as Rank);
    fewest = Math.min(fewest, [...now.keys()].filter(isOwner).length);
  }
  return { now, wrong, changes, fewest };
}

async function findOwner(people: readonly { readonly username: string; readonly password: string }[]) {
  for (const { username, password } of people) {
    const answer = await call<{ user: { role: Role } }>(port, "POST", "/api/auth/login", {
      body: { username, password },
    });
    if (answer.status !== 200 || answer.body.user.role !== "owner") continue;
    const owner: Headers = [["Cookie", answer.raw.headers.get("set-cookie")?.split(";")[0] ?? ""]];
    return { owner, audit: await readAudit(port, owner) };
  }
  throw new Error("no owner is left who can sign in");
}
