import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "@gatehouse/base";
import type { User, WhoAmI } from "@gatehouse/contract/routes";
import { credentialsKind, ownersKind, sessionKind, tokenKind, userKind } from "@gatehouse/contract/records";
import { openFileStore, type Store } from "@gatehouse/store";
import { farDatabase } from "@gatehouse/store/far";
import { describe, expect, onTestFinished, test } from "vitest";
import { type AuthServer, newVisitor, startAuthServer, tagOf } from "./auth-server.ts";
import { ownerPassword, type Visitor } from "./visitor.ts";
import { farStore } from "./far-store.ts";

const users = "/api/users";
const password = "nine lazy otters";

/** Requests to the memory store would run one after the other; these two let them overtake each other. */
const stores: Readonly<Record<string, () => Promise<Store>>> = {
  "a store that takes its time": () => Promise.resolve(farStore()),
  "the file store": openTemporaryStore,
};

for (const [name, openStore] of Object.entries(stores)) {
  describe(`races in ${name}`, () => {
    const start = async () => startAuthServer({ store: await openStore() });

    test("of two users with one name, one is created", async () => {
      const server = await start();
      const owner = await server.visitor().signIn();
      const body = { username: "maria", role: "viewer", password };
      const made = await Promise.all(Array.from({ length: 8 }, () => owner.call("POST", users, { body })));
      expect(made.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(made.filter(({ code }) => code === "user.name_taken")).toHaveLength(7);
      expect(await server.store.list(userKind)).toHaveLength(2);
    });

    test("of two tokens with one key, one is issued", async () => {
      const server = await start();
      const owner = await server.visitor().signIn();
      const body = { name: "deploy", scopes: ["plan:read"] };
      const headers = { "Idempotency-Key": "once" };
      const all = await Promise.all(
        Array.from({ length: 8 }, () => owner.call<{ id: string }>("POST", "/api/tokens", { body, headers })),
      );
      expect(all.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
      expect(new Set(all.map(({ body }) => body.id)).size, "all name the same token").toBe(1);
      expect(await server.store.list(tokenKind)).toHaveLength(1);
    });

    test("of a password change and another session that issues tokens, none is issued after the change", async () => {
      const server = await start();
      const [own, stolen] = [await server.visitor().signIn(), await server.visitor().signIn()];
      const body = { name: "stolen", scopes: ["plan:read"] };
      const [changed] = await Promise.all([
        own.call("POST", "/api/auth/password", { body: { currentPassword: ownerPassword, newPassword: password } }),
        ...Array.from({ length: 20 }, () => stolen.call("POST", "/api/tokens", { body })),
      ]);
      expect(changed?.status, "however many tokens are asked for").toBe(204);
      const actions = await server.actions();
      expect(actions.slice(actions.indexOf("auth.password_changed"))).toEqual(["auth.password_changed"]);
    });

    test("of sign-ins at the same moment, all count", async () => {
      const server = await start();
      await Promise.all([server.visitor().signIn(), server.visitor().signIn(), server.visitor().signIn()]);
      expect(await server.store.list(sessionKind)).toHaveLength(3);
      const [book] = await server.store.list(credentialsKind);
      expect(book?.value.sessions).toHaveLength(3);
    });

    test("of a password change and sign-ins with the old password, no old one stays", async () => {
      const server = await start();
      const own = await server.visitor().signIn();
      const racers = Array.from({ length: 3 }, () => server.visitor());
      const [changed] = await Promise.all([
        own.call("POST", "/api/auth/password", { body: { currentPassword: ownerPassword, newPassword: password } }),
        ...racers.map((racer) =>
          racer.call("POST", "/api/auth/login", { body: { username: "admin", password: ownerPassword } }),
        ),
      ]);
      expect(changed?.status).toBe(204);
      for (const racer of racers) expect(await isSignedIn(racer)).toBe(false);
      expect(await isSignedIn(own)).toBe(true);
    });

    test("of a sign-in and a disablement, no session is left", async () => {
      const server = await start();
      const owner = await server.visitor().signIn();
      const viewer = await newVisitor(server, owner, "viewer");
      const id = await idOf(viewer);
      const disable = { body: { disabled: true }, headers: await tagOf(owner, id) };
      const racer = server.visitor();
      const body = { username: "viewer", password: "the viewer has otters" };
      const [disabled] = await Promise.all([
        owner.call("PATCH", `${users}/${id}`, disable),
        racer.call("POST", "/api/auth/login", { body }),
      ]);
      expect(disabled.status).toBe(200);
      expect(await isSignedIn(racer)).toBe(false);
      expect(await server.store.list(sessionKind)).toHaveLength(1);
    });

    test("owners who demote each other leave one owner", async () => {
      for (let round = 0; round < 3; round += 1) {
        const server = await start();
        const one = await server.visitor().signIn();
        const two = await newVisitor(server, one, "owner", "second");
        const answers = await demoteEachOther(one, two);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await owners(server)).toHaveLength(1);
      }
    });

    test("an owner who is demoted in the middle of it raises nobody", async () => {
      const server = await start();
      const one = await server.visitor().signIn();
      const two = await newVisitor(server, one, "owner", "second");
      const maria = await one.call<User>("POST", users, { body: { username: "maria", role: "viewer", password } });
      const idTwo = await idOf(two);
      const [demotion, rise] = [await tagOf(one, idTwo), await tagOf(two, maria.body.id)];
      await Promise.all([
        one.call("PATCH", `${users}/${idTwo}`, { body: { role: "viewer" }, headers: demotion }),
        two.call("PATCH", `${users}/${maria.body.id}`, { body: { role: "owner" }, headers: rise }),
      ]);
      const log = (await server.audit()).filter(({ action }) => action === "user.changed");
      const demotedAt = log.findIndex(({ subject }) => subject !== `user/${maria.body.id}`);
      expect(demotedAt).toBeGreaterThanOrEqual(0);
      expect(log.slice(demotedAt + 1)).toEqual([]);
    });

    test("a thousand changes at once never leave the house without an owner, and nobody gains what nobody could give", async () => {
      const server = await start();
      const admin = await server.visitor().signIn();
      const team = [admin];
      for (const name of ["one", "two", "three"]) team.push(await newVisitor(server, admin, "owner", name));
      const viewer = await newVisitor(server, admin, "viewer", "bystander");
      const ids = await Promise.all(team.map(idOf));
      const targets = [...ids, await idOf(viewer)];
      const beginning = new Map((await server.store.list(userKind)).map(({ key, version }) => [key.id, version]));
      const attempt = async (i: number) => {
        const by = i % 5 === 0 ? viewer : (team[i % team.length] as Visitor);
        const id = targets[(i * 7) % targets.length] as string;
        const body = i % 3 === 0 ? { role: i % 2 === 0 ? "viewer" : "auditor" } : { disabled: i % 2 === 0 };
        // Every fourth has last looked before it all began.
        const seen = i % 4 === 3 ? beginning.get(id) : (await server.store.get(userKind.key(id)))?.version;
        const answer = await by.call("PATCH", `${users}/${id}`, { body, headers: { "If-Match": `"${seen}"` } });
        expect(by !== viewer || answer.status !== 200, "a viewer changes nobody").toBe(true);
        return answer.status;
      };
      const statuses = new Set<number>();
      for (let at = 0; at < 1_000; at += 50) {
        const lane = Array.from({ length: 50 }, (_, i) => attempt(at + i));
        for (const status of await Promise.all(lane)) statuses.add(status);
      }
      expect((await owners(server)).length).toBeGreaterThan(0);
      expect([...statuses].filter((status) => ![200, 401, 403, 409, 412].includes(status))).toEqual([]);
      const changed = (await server.audit()).filter(({ action }) => action === "user.changed");
      expect(changed.length).toBeGreaterThan(3);
      // Whoever changed a user was an enabled owner at that very position of the log.
      const holds = new Map(ids.map((id) => [id, true]));
      for (const { actor, subject, detail } of changed) {
        expect(holds.get(actor), "an owner at that moment").toBe(true);
        const to = detail?.["to"] as { role: string; disabled: boolean };
        holds.set(subject.slice("user/".length), to.role === "owner" && !to.disabled);
      }
    });
  });
}

describe("two servers over one database have only its versions to decide by, and", () => {
  const startTwo = async () => {
    const [database, clock] = [farDatabase({ seed: 1 }), manualClock()];
    const here = await startAuthServer({ store: database.openReplica().store, clock });
    const replica = database.openReplica();
    const commit: Store["commit"] = (...all) => {
      replica.mend();
      return replica.store.commit(...all);
    };
    const there = await startAuthServer({ store: { ...replica.store, commit }, clock });
    /** The other server hears of nothing any more, until it writes. */
    const deafen = () => replica.cutOff();
    /** The same browser, sent to the other server, which knows by then what this one has acknowledged. */
    const overThere = async (visitor: Visitor) => {
      await there.hear(await here.store.head());
      const same = there.visitor();
      same.cookie = visitor.cookie;
      return same;
    };
    return { here, there, overThere, deafen };
  };

  test("owners who demote each other leave one owner", async () => {
    const { here, there, overThere } = await startTwo();
    const one = await here.visitor().signIn();
    const two = await overThere(await newVisitor(here, one, "owner", "second"));
    const answers = await demoteEachOther(one, two);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const server of [here, there]) expect(await owners(server)).toHaveLength(1);
  });

  test("a name is given once", async () => {
    const { here, there, overThere } = await startTwo();
    const owner = await here.visitor().signIn();
    const same = await overThere(owner);
    const body = { username: "maria", role: "viewer", password };
    const answers = await Promise.all([owner, same].map((by) => by.call("POST", users, { body })));
    expect(answers.map(({ status, code }) => code ?? `${status}`).sort()).toEqual(["201", "user.name_taken"]);
    for (const { store } of [here, there]) expect(await store.list(userKind, { newest: true })).toHaveLength(2);
  });

  test("a key is used once", async () => {
    const { here, there, overThere } = await startTwo();
    const owner = await here.visitor().signIn();
    const same = await overThere(owner);
    const asked = { body: { name: "deploy", scopes: ["plan:read"] }, headers: { "Idempotency-Key": "once" } };
    const answers = await Promise.all(
      [owner, same, owner, same].map((by) => by.call<{ id: string }>("POST", "/api/tokens", asked)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.id)).size, "all name the same token").toBe(1);
    for (const { store } of [here, there]) expect(await store.list(tokenKind, { newest: true })).toHaveLength(1);
  });

  test("sign-ins all count, and a password change ends those with the old one", async () => {
    const { here, there } = await startTwo();
    const own = await here.visitor().signIn();
    const racers = [here.visitor(), there.visitor(), there.visitor()];
    const body = { username: "admin", password: ownerPassword };
    const [changed] = await Promise.all([
      own.call("POST", "/api/auth/password", { body: { currentPassword: ownerPassword, newPassword: password } }),
      ...racers.map((racer) => racer.call("POST", "/api/auth/login", { body })),
    ]);
    expect(changed?.status).toBe(204);
    await hearEachOther(here, there);
    for (const racer of racers) expect(await isSignedIn(racer)).toBe(false);
    const [one, two] = [here.visitor(), there.visitor()];
    await Promise.all([one.signIn("admin", password), two.signIn("admin", password)]);
    expect([await isSignedIn(own), await isSignedIn(one), await isSignedIn(two)]).toEqual([true, true, true]);
    const [book] = await here.store.list(credentialsKind, { newest: true });
    expect(book?.value.sessions).toHaveLength(3);
  });

  test("what one of them revokes, the other refuses as soon as it has heard of it", async () => {
    const { here, there, overThere } = await startTwo();
    const owner = await here.visitor().signIn();
    const same = await overThere(owner);
    expect(await isSignedIn(same)).toBe(true);
    await owner.call("POST", "/api/auth/logout");
    await there.hear(await here.store.head());
    expect(await isSignedIn(same)).toBe(false);
  });

  test("whoever was demoted by one of them raises nobody at the other, also before that one has heard of it", async () => {
    const { here, there, overThere, deafen } = await startTwo();
    const one = await here.visitor().signIn();
    const two = await newVisitor(here, one, "owner", "second");
    const maria = await one.call<User>("POST", users, { body: { username: "maria", role: "viewer", password } });
    const same = await overThere(two);
    const idTwo = await idOf(two);
    const [demotion, rise] = [await tagOf(one, idTwo), await tagOf(same, maria.body.id)];
    deafen();
    const demoted = await one.call("PATCH", `${users}/${idTwo}`, { body: { role: "viewer" }, headers: demotion });
    expect(demoted.status).toBe(200);
    expect(await isSignedIn(same), "it has not heard of it").toBe(true);
    const refused = await same.call("PATCH", `${users}/${maria.body.id}`, { body: { role: "owner" }, headers: rise });
    expect(refused.code).toBe("auth.credential_refused");
    expect(await owners(there)).toHaveLength(1);
  });
});

/** Both servers know what either of them has acknowledged. */
async function hearEachOther(here: AuthServer, there: AuthServer): Promise<void> {
  await here.hear(await there.store.head());
  await there.hear(await here.store.head());
}

async function demoteEachOther(one: Visitor, two: Visitor) {
  const [idOne, idTwo] = [await idOf(one), await idOf(two)];
  const [ofOne, ofTwo] = [await tagOf(two, idOne), await tagOf(one, idTwo)];
  const body = { role: "viewer" };
  return Promise.all([
    one.call("PATCH", `${users}/${idTwo}`, { body, headers: ofTwo }),
    two.call("PATCH", `${users}/${idOne}`, { body, headers: ofOne }),
  ]);
}

async function idOf(visitor: Visitor): Promise<string> {
  return (await visitor.call<WhoAmI>("GET", "/api/auth/whoami")).body.user.id;
}

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.call("GET", "/api/auth/whoami")).status === 200;
}

async function owners(server: AuthServer): Promise<readonly string[]> {
  const listed = (await server.store.get(ownersKind.key("main"), { newest: true }))?.value.ids ?? [];
  const real = (await server.store.list(userKind, { newest: true }))
    .filter(({ value }) => value.role === "owner" && !value.disabled)
    .map(({ value }) => value.id);
  expect([...listed].sort(), "the set of owners is what the users say").toEqual(real.sort());
  return listed;
}

async function openTemporaryStore(): Promise<Store> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-races-"));
  const store = await openFileStore({
    directory,
    onWarning: () => undefined,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });
  return store;
}
