import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { call, change, enter, newPerson, newToken, type Person, readAudit, remove } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** nginx-ui, Grafana: a user was disabled, and what they held went on working. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

const ends: readonly { readonly name: string; readonly act: (owner: Person, user: Person) => Promise<number> }[] = [
  { name: "disabled", act: async (owner, { id }) => (await change(port, owner.as, id, { disabled: true })).status },
  {
    name: "removed",
    act: async (owner, { id }) => (await remove(port, owner.as, id)).status,
  },
];

test("sessions, tokens and streams of a disabled or removed user end at once", async (context) => {
  const owner = await enter(port);
  let ended = 0;
  for (const { name, act } of ends) {
    const user = await newPerson(port, owner, "operator", name);
    const again = await enter(port, user);
    const tokens = [await newToken(port, user, ["node:read"]), await newToken(port, user, ["audit:read"])];
    const credentials = [user.as, again.as, ...tokens.map(({ as }) => as)];
    for (const as of credentials) expect((await call(port, "GET", "/api/auth/whoami", { as })).status).toBe(200);
    const streams = credentials.map((as) => openEventStream(port, as));
    await Promise.all(streams.map((stream) => stream.until(() => stream.text().includes("\nid: "))));
    expect([200, 204]).toContain(await act(owner, user));
    // Whatever happens from now on is news for somebody else.
    const { position: last } = (await readAudit(port, owner.as)).at(-1) ?? { position: 0 };
    const later = await newToken(port, owner, ["node:read"]);
    for (const as of credentials) expect((await call(port, "GET", "/api/auth/whoami", { as })).status, name).toBe(401);
    await Promise.all(streams.map((stream) => stream.until(() => !stream.isOpen())));
    const heard = streams.flatMap((stream) => stream.heard()).filter(({ position }) => position > last);
    expect(heard, `a stream told of ${later.id}`).toEqual([]);
    for (const stream of streams) stream[Symbol.dispose]();
    const body = { username: user.username, password: user.password };
    expect((await call(port, "POST", "/api/auth/login", { body })).code, name).toBe("auth.sign_in_refused");
    for (const as of credentials) expect((await call(port, "GET", "/api/events", { as })).status, name).toBe(401);
    ended += credentials.length * 2;
  }
  tried(context, `${count(ended, "sessions, tokens and streams")} of a disabled and a removed user`);
});

test("enabling the user again brings back neither sessions nor tokens", async (context) => {
  const owner = await enter(port);
  const user = await newPerson(port, owner, "viewer", "returning");
  const token = await newToken(port, user, ["node:read"]);
  expect((await change(port, owner.as, user.id, { disabled: true })).status).toBe(200);
  expect((await change(port, owner.as, user.id, { disabled: false })).status).toBe(200);
  for (const as of [user.as, token.as]) expect((await call(port, "GET", "/api/auth/whoami", { as })).status).toBe(401);
  await enter(port, user);
  tried(context, "what was held before stays dead after enabling");
});
