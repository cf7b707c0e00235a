import { lifecycleStates, roles, scopeNames } from "@gatehouse/contract";
import type { Access, RouteSpec } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { contractRows } from "../support/contract-rows.ts";
import { movableClock, passSixMinutes } from "./support/movable-clock.ts";
import {
  call,
  change,
  cookieOf,
  enter,
  type Headers,
  newPerson,
  newToken,
  ofCookie,
  remove,
} from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Ours, 0.1.5: a session of six minutes made an owner, and so did a token, without anybody's password. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", ...movableClock } });
const { port } = server;
const needsProof = "auth.step_up_required";
const needsPerson = "auth.session_required";

/** Rows that change something and ask for no proof, and why none of them raises anybody's power. */
const raisesNoPower: Readonly<Record<string, string>> = {
  "POST /api/auth/login": "it is the proof",
  "POST /api/auth/step-up": "it is the proof",
  "POST /api/auth/password": "it asks for the current password itself",
  "POST /api/auth/logout": "it takes power away",
  "DELETE /api/auth/sessions": "it takes power away",
  "DELETE /api/auth/sessions/:id": "it takes power away",
  "DELETE /api/tokens/:id": "it takes power away",
  "POST /api/plugins/verify": "it judges a bundle and changes no record",
  "POST /api/plugins/:id/actions/:action": "it asks a plugin that an operator has activated, and changes no host",
  "DELETE /api/nodes/enrolments/:id": "it takes power away",
  "PATCH /api/nodes/:id": "it changes what people call a node, or revokes it",
  "POST /api/plans": "it draws a plan up, and changes no host: others approve it",
  "POST /api/nodes/:id/drift/plan": "it draws a plan up, and changes no host: others approve it",
  "POST /api/plans/:id/undo": "it draws a plan up, and changes no host: others approve it",
  "POST /api/plans/:id/review": "it asks others to look at a plan",
  "POST /api/plans/:id/withdrawal": "it takes a plan back",
  "POST /api/plans/:id/rejection": "it takes a plan's chance away",
  "POST /api/plans/:id/halt": "it takes power away",
  "POST /api/artifacts": "it names bytes that no host takes without its publisher's signature and an approved plan",
  "PUT /api/artifacts/:id/parts/:number": "it brings those bytes, and changes no host",
  "DELETE /api/artifacts/:id": "it takes away what no open plan needs",
  "POST /api/alerts/:id/acknowledgement": "it says who looks after an alert, and changes no host",
  "POST /api/alert-rules": "it says what people are told of, and changes no host",
  "PATCH /api/alert-rules/:id": "it says what people are told of, and changes no host",
  "DELETE /api/alert-rules/:id": "it says what people are told of, and changes no host",
  "POST /api/alert-silences": "it says what people are not told of for a time, and changes no host",
  "DELETE /api/alert-silences/:id": "it lets people be told again",
  "PUT /api/plans/stop": "it takes power away",
  "DELETE /api/webhooks/:id": "it takes a way out away",
  "POST /api/webhooks/:id/test": "it sends one fixed notice to where a proof has let notices go",
  "POST /api/agent/enrol": "the code that it spends was made with a proof",
  "POST /api/csp-reports": "it counts a browser's report",
};

const nameOf = ({ method, path }: RouteSpec) => `${method} ${path}`;
const proofOf = (access: Access) => ("nodes" in access ? access : { stepUp: undefined, lowers: undefined });

test("every row that changes something asks for a proof, or is known to raise no power", (context) => {
  const changing = contractRows.filter(({ method }) => method !== "GET");
  const unproved = changing.filter(({ access }) => proofOf(access).stepUp === undefined).map(nameOf);
  expect(unproved.toSorted()).toEqual(Object.keys(raisesNoPower).toSorted());
  const reading = contractRows.filter(({ method }) => method === "GET");
  expect(reading.filter(({ access }) => proofOf(access).stepUp !== undefined).map(nameOf)).toEqual([]);
  tried(context, count(changing.length, "rows that change something"));
});

/** Every body that there is for the rows where the body decides. */
const bodies: Readonly<Record<string, readonly object[]>> = {
  "PATCH /api/users/:id": [undefined, ...roles].flatMap((role) =>
    [undefined, true, false].map((disabled) => ({
      ...(role && { role }),
      ...(disabled !== undefined && { disabled }),
    })),
  ),
  "PATCH /api/webhooks/:id": [
    { enabled: false },
    { enabled: true },
    { enabled: false, name: "other" },
    { events: ["alert.opened"] },
    { url: "https://127.0.0.1:9/" },
  ],
  "POST /api/plugins/lifecycle": lifecycleStates.flatMap((status) =>
    [{}, { artifactSha256: "0".repeat(64) }].map((more) => ({ id: "acme-none", status, ...more })),
  ),
};

test("of the bodies that decide, only those that disable need no proof", () => {
  const lowering = contractRows.flatMap((spec) => {
    const { lowers } = proofOf(spec.access);
    if (lowers === undefined) return [];
    return (bodies[nameOf(spec)] ?? []).filter((body) => lowers.body.safeParse(body).success);
  });
  expect(lowering).toHaveLength(4);
  expect(lowering).toEqual(
    expect.arrayContaining([
      { disabled: true },
      { enabled: false },
      { id: "acme-none", status: "disabled" },
      { id: "acme-none", status: "disabled", artifactSha256: "0".repeat(64) },
    ]),
  );
});

test("every row takes a stale session, a fresh one and a token as its column says", async (context) => {
  const owner = await enter(port);
  const stale = await newPerson(port, owner, "owner", "stale");
  const token = await newToken(port, owner, scopeNames);
  await newPerson(port, owner, "owner", "fresh");
  await passSixMinutes(server);
  const fresh = await enter(port, { username: "fresh", password: "the fresh keeps otters" });
  // What ends a session of its own comes last.
  const rows = contractRows.toSorted((a, b) => Number(isFarewell(a)) - Number(isFarewell(b)));
  const wrong: string[] = [];
  let requests = 0;
  for (const spec of rows) {
    const { stepUp, lowers } = proofOf(spec.access);
    for (const body of bodies[nameOf(spec)] ?? [{}]) {
      const isAsked = stepUp !== undefined && lowers?.body.safeParse(body).success !== true;
      const isWhole = spec.body === undefined || spec.body.safeParse(body).success;
      const ask = async (who: string, as: Headers, refusal: string | undefined) => {
        const { code } = await request(spec, as, body);
        requests += 1;
        const isRefused = refusal !== undefined && isAsked && (lowers === undefined || isWhole);
        if (isRefused ? code !== refusal : code === needsProof) {
          wrong.push(`${nameOf(spec)} ${JSON.stringify(body)}: ${who} was answered ${code}`);
        }
      };
      await ask("a stale session", stale.as, needsProof);
      await ask("a fresh session", fresh.as, undefined);
      await ask("a token", token.as, stepUp === "always" ? needsPerson : undefined);
    }
  }
  expect(wrong).toEqual([]);
  tried(context, `${count(rows.length, "rows")}, ${count(requests, "requests")} of three credentials`);
});

test("a stale session makes nobody more until the password is proved, and takes power away without it", async () => {
  const owner = await enter(port);
  const vic = await newPerson(port, owner, "viewer", "vic");
  await passSixMinutes(server);
  expect((await change(port, owner.as, vic.id, { role: "owner" })).code).toBe(needsProof);
  expect((await remove(port, owner.as, vic.id)).code).toBe(needsProof);
  expect((await change(port, owner.as, vic.id, { disabled: true })).status).toBe(200);
  expect((await change(port, owner.as, vic.id, { disabled: false })).code).toBe(needsProof);
  const proved = await call(port, "POST", "/api/auth/step-up", { as: owner.as, body: { password: owner.password } });
  const as = ofCookie(cookieOf(proved));
  expect((await change(port, as, vic.id, { disabled: false, role: "auditor" })).body).toMatchObject({
    role: "auditor",
  });
});

test("a token of every scope gives no role and enables nobody; it disables and removes", async () => {
  const owner = await enter(port);
  const eve = await newPerson(port, owner, "viewer", "eve");
  const { as } = await newToken(port, owner, scopeNames);
  for (const body of [{ role: "owner" as const }, { role: "owner" as const, disabled: true }]) {
    expect((await change(port, as, eve.id, body)).code).toBe(needsPerson);
  }
  expect((await change(port, as, eve.id, { disabled: true })).body).toMatchObject({ role: "viewer", disabled: true });
  expect((await change(port, as, eve.id, { disabled: false })).code).toBe(needsPerson);
  expect((await remove(port, as, eve.id)).status).toBe(204);
});

function isFarewell(spec: RouteSpec): boolean {
  return nameOf(spec) === "POST /api/auth/logout";
}

/** About nothing that exists, so that whoever gets in changes nothing. */
function request(spec: RouteSpec, as: Headers, body: object) {
  const ids: Readonly<Record<string, string>> = {
    users: `usr_${"0".repeat(26)}`,
    sessions: `ses_${"0".repeat(26)}`,
    webhooks: `webhook_${"0".repeat(26)}`,
  };
  const [, , noun = "", ...more] = spec.path.split("/");
  const id = ids[more.includes("sessions") ? "sessions" : noun] ?? (noun === "tokens" ? "0".repeat(16) : "acme-none");
  const path = spec.path.replace(":id", id).replace(":action", "health");
  return call(port, spec.method, path, {
    as,
    headers: [["If-Match", '"1"']],
    ...(spec.body !== undefined && { body }),
  });
}
