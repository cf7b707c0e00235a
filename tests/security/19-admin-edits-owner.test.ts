import { type Role, roles, type Scope, scopeNames, scopesOfRole } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { change, enter, everythingOf, newPerson, newToken, type Person, remove } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Netmaker, Rancher: somebody who may manage users changed one who stood above them, or made themselves one. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("whoever may manage users, but holds less than an owner, touches no owner and makes none", async (context) => {
  const owner = await enter(port);
  const people = new Map<Role, Person>();
  for (const role of roles) people.set(role, await newPerson(port, owner, role));
  // No role but the owner's may manage users; a token that an owner cut down is such an administrator.
  const held: (readonly Scope[])[] = [
    ["user:admin"],
    [...new Set<Scope>(["user:admin", ...scopesOfRole("viewer")])],
    [...new Set<Scope>(["user:admin", ...scopesOfRole("operator")])],
    scopeNames.filter((scope) => scope !== "settings:admin"),
  ];
  let requests = 0;
  for (const scopes of held) {
    const { as } = await newToken(port, owner, scopes);
    const before = await everythingOf(port, owner);
    const reaches = (role: Role) => scopesOfRole(role).every((scope) => scopes.includes(scope));
    for (const [role, { id }] of people) {
      const wanted = [{ role: "owner" as const }, ...(reaches(role) ? [] : [{ disabled: true }])];
      for (const body of wanted) {
        if ("role" in body && role === "owner") continue;
        const { code } = await change(port, as, id, body);
        // A token gives no role at all (class 95).
        const expected = "role" in body ? "auth.session_required" : "user.beyond_own";
        expect(code, `${scopes.length} scopes, ${role}, ${JSON.stringify(body)}`).toBe(expected);
        requests += 1;
      }
      if (reaches(role)) continue;
      expect((await remove(port, as, id)).code, role).toBe("user.beyond_own");
      for (const lower of ["viewer", "auditor"] as const) {
        if (lower === role) continue;
        expect((await change(port, as, id, { role: lower })).code, role).toBe("auth.session_required");
        requests += 1;
      }
      requests += 1;
    }
    expect(await everythingOf(port, owner)).toBe(before);
  }
  tried(context, `${count(requests, "changes")} by ${count(held.length, "cut-down administrators")}`);
});

test("no session but an owner's changes anybody, itself included", async (context) => {
  const owner = await enter(port);
  const lower = roles.filter((role) => role !== "owner");
  const people: Person[] = [];
  for (const role of lower) people.push(await newPerson(port, owner, role, `plain-${role}`));
  const before = await everythingOf(port, owner);
  for (const { as, id } of people) {
    for (const target of [id, owner.id]) {
      for (const body of [
        { role: "owner" as const },
        { role: "viewer" as const, disabled: false },
        { disabled: true },
      ]) {
        expect((await change(port, as, target, body)).code).toBe("auth.scope_missing");
      }
    }
  }
  expect(await everythingOf(port, owner)).toBe(before);
  tried(context, count(people.length * 6, "changes by other roles"));
});
