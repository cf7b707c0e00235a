import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { joined } from "./support/joined.ts";
import { call, enter, everythingOf, type WhoAmI } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** File Browser, Grafana: two accounts, one name after somebody's normalisation. Names of nodes and plugins are to follow. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

const kay = "kira";
/** What Unicode, a database or a browser would make equal to `admin` or to `kira`, or show as the same. */
const alike = joined(
  ["admin ", " admin", "admin\t", "admin\n", "admin\r\n", "admin\u00a0", "admin\u3000", "admin\u2028"],
  ["admin\u0000", "admin\u200b", "admin\u200d", "ad\u00admin", "\ufeffadmin", "admin\u202e", "ad\u034fmin"],
  ["ａｄｍｉｎ", "ⓐⓓⓜⓘⓝ", "𝐚𝐝𝐦𝐢𝐧", "ᵃᵈᵐⁱⁿ", "adm\u2170n", "ADM\u0130N", "adm\u0131n", "admi\u0144", "admin\u0301"],
  ["\u0430dmin", "a\u0501min", "adm\u0456n", "\u03b1dmin", "\u0251dmin", "adm\u00efn", "adm\u1d09n"],
  ["\u212aira", "\u212aIRA", "k\u0456ra", "kir\u0430", "kira\u02bc", "\uff4bira"],
  ["admin/", "admin%20", "admin\\", "admin;x", "admin@local", "../admin", "admin#", "-admin", ".admin", ""],
);
const sameAccount = ["admin", "Admin", "ADMIN", "aDMIN"];

test("a name that looks like another is refused, or is that very account", async (context) => {
  const owner = await enter(port);
  const password = "nine patient herons";
  const create = (username: string) =>
    call(port, "POST", "/api/users", { as: owner.as, body: { username, role: "owner", password } });
  expect((await create(kay)).status).toBe(201);
  const before = await everythingOf(port, owner);
  for (const username of [...alike, ...sameAccount]) {
    const { status, code } = await create(username);
    const about = JSON.stringify(username);
    expect([400, 409], about).toContain(status);
    expect(["request.malformed", "user.name_taken"], about).toContain(code);
  }
  expect(await everythingOf(port, owner)).toBe(before);
  const signIn = (username: string, typed: string) =>
    call<WhoAmI>(port, "POST", "/api/auth/login", { body: { username, password: typed } });
  for (const username of alike) {
    // The password of the account that it looks like.
    const typed = /k/i.test(username.normalize("NFKC")) ? password : owner.password;
    const { status } = await signIn(username, typed);
    expect([400, 401], JSON.stringify(username)).toContain(status);
  }
  for (const username of sameAccount) expect((await signIn(username, owner.password)).body.user.id).toBe(owner.id);
  tried(context, `${count(alike.length, "look-alikes")}, ${sameAccount.length} spellings of one account`);
});

test("of many who create one name at once, one does", async (context) => {
  const owner = await enter(port);
  const body = { username: "gemini", role: "viewer", password: "nine patient herons" };
  const answers = await inLanes(Array.from({ length: 24 }), 24, () =>
    call(port, "POST", "/api/users", { as: owner.as, body }),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === "user.name_taken")).toHaveLength(23);
  tried(context, "24 creations of one name at once");
});
