import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson, type Person } from "./gatehouse.ts";
import { owner, type RealServer, startRealServer } from "./real-server.ts";

/** The operator's verbs against the real server. */
let directory = "";
let server: RealServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-cli-server-"));
  server = await startRealServer(directory);
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

const phrase = "wooden bridges in autumn";

async function signedIn(username: string = owner.username, password: string = owner.password): Promise<Person> {
  const person = await newPerson(server.url);
  const { code, err } = await person.run(`login --username ${username} --password-stdin`, { input: `${password}\n` });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return person;
}

test("signing in keeps a session that only its user can read; signing out ends it on the server too", async () => {
  const ada = await newPerson(server.url);
  expect(await ada.json("whoami")).toMatchObject({ code: 1, ok: false, error: { code: "cli.not_signed_in" } });
  const login = await ada.json("login --username admin --password-stdin", { input: owner.password });
  expect(login).toMatchObject({ code: 0, ok: true, server: server.url, user: { username: "admin", role: "owner" } });
  const kept = await readFile(ada.sessionFile, "utf8");
  expect((await stat(ada.sessionFile)).mode & 0o777).toBe(0o600);
  const { cookie } = JSON.parse(kept) as { cookie: { value: string } };
  expect(JSON.stringify(login)).not.toContain(cookie.value);
  expect(kept).not.toContain(owner.password);
  expect(await ada.json("whoami")).toMatchObject({
    code: 0,
    user: { username: "admin" },
    credential: { kind: "session" },
  });

  expect(await ada.run("logout")).toMatchObject({ code: 0, out: `Signed out admin at ${server.url}.\n` });
  await writeFile(ada.sessionFile, kept, { mode: 0o600 });
  expect(await ada.run("whoami")).toMatchObject({ code: 1, err: expect.stringContaining("auth.credential_refused") });
  expect(await ada.run("logout")).toMatchObject({ code: 0 });
  expect(await ada.run("logout")).toMatchObject({ code: 0, out: "Nobody was signed in.\n" });
});

test("as programs of their own: sign in, issue a token, use it, revoke it, sign out", async () => {
  const ada = await newPerson(server.url);
  const login = await ada.start("login --username admin --password-stdin", { input: `${owner.password}\n` });
  expect(login).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringMatching(/^Signed in as admin \(owner\) at http:/),
  });
  const { code, out, err } = await ada.start("token issue --name nightly --scope audit:read");
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^gth_[0-9a-z]{16}_[0-9A-Za-z]{49}\n$/) });
  expect(err).toContain("is shown this once");
  const env = { GATEHOUSE_TOKEN: out.trim() };
  const program = await newPerson(server.url);
  expect(await program.start("audit check", { env })).toMatchObject({
    code: 0,
    err: "",
    out: expect.stringContaining("is whole"),
  });
  expect(await program.start(`token revoke ${out.slice(4, 20)}`, { env })).toMatchObject({ code: 0, err: "" });
  expect(await program.start("audit check", { env })).toMatchObject({ code: 1, out: "" });
  expect(await ada.start("logout")).toMatchObject({ code: 0, err: "", out: `Signed out admin at ${server.url}.\n` });
});

test("a wrong password is told in the server's words, and nothing is kept", async () => {
  const ada = await newPerson(server.url);
  const refused = await ada.run("login --username nobody --password-stdin", { input: "not the password\n" });
  expect(refused).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("gatehouse: auth.sign_in_refused: "),
  });
  await expect(stat(ada.sessionFile)).rejects.toThrow("ENOENT");
});

test("a sign-out without a server forgets the session, and says that it goes on", async () => {
  const ada = await signedIn();
  const kept = JSON.parse(await readFile(ada.sessionFile, "utf8")) as object;
  await writeFile(ada.sessionFile, JSON.stringify({ ...kept, server: "http://127.0.0.1:1" }));
  const { code, out } = await ada.run("logout", { env: { GATEHOUSE_SERVER: "" } });
  expect(code).toBe(1);
  expect(out).toContain("was forgotten here, but http://127.0.0.1:1 did not end it");
  await expect(stat(ada.sessionFile)).rejects.toThrow("ENOENT");
});

test("a session is never shown to another server than its own", async () => {
  const ada = await signedIn();
  const { code, err } = await ada.run("whoami", { env: { GATEHOUSE_SERVER: "https://gatehouse.example.com" } });
  expect(code).toBe(1);
  expect(err).toContain("cli.not_signed_in");
});

test("one sees one's sessions, and ends one of them or all others", async () => {
  const [here, there, elsewhere] = [await signedIn(), await signedIn(), await signedIn()];
  const { items } = (await there.json("session list")) as unknown as { items: { id: string; current: boolean }[] };
  const own = items.find(({ current }) => current)?.id ?? "";
  expect(await here.run(`session end ${own}`)).toMatchObject({ code: 0, out: `The session ${own} has ended.\n` });
  expect(await there.run("whoami")).toMatchObject({ code: 1, err: expect.stringContaining("gatehouse login") });
  expect(await here.run(`session end ${own}`)).toMatchObject({
    code: 1,
    err: expect.stringContaining("session.unknown"),
  });
  expect((await here.run("session end --others")).code).toBe(0);
  expect((await elsewhere.run("whoami")).code).toBe(1);
  const { out } = await here.run("session list");
  expect(out).toMatch(/^1 session of admin/);
  expect(out).toContain("gatehouse-cli/");
  const mine = (JSON.parse(await readFile(here.sessionFile, "utf8")) as { id: string }).id;
  expect((await here.run(`session end ${mine}`)).out).toContain("it was this one, so you are signed out");
  expect((await here.run("whoami")).err).toContain("cli.not_signed_in");
});

test("a password is changed with the current one, and the session goes on with a new value", async () => {
  const admin = await signedIn();
  await admin.run("user create --username eve --role viewer --password-stdin", { input: `${phrase}\n` });
  const [eve, other] = [await signedIn("eve", phrase), await signedIn("eve", phrase)];
  const before = await readFile(eve.sessionFile, "utf8");
  const next = "iron bridges in spring";
  const wrong = await eve.run("password --password-stdin", { input: `${next}\n${next}\n${next}\n` });
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("auth.password_wrong") });
  const differing = await eve.run("password --password-stdin", { input: `${phrase}\n${next}\n${next}.\n` });
  expect(differing).toMatchObject({ code: 1, err: expect.stringContaining("the two new passwords differ") });
  const changed = await eve.run("password --password-stdin", { input: `${phrase}\n${next}\n${next}\n` });
  expect(changed).toMatchObject({ code: 0, err: "" });
  expect(await readFile(eve.sessionFile, "utf8")).not.toBe(before);
  expect((await eve.run("whoami")).code).toBe(0);
  expect((await other.run("whoami")).code).toBe(1);
  await signedIn("eve", next);
});

test("a token is alone on standard output, does what it may, and nothing once it is revoked", async () => {
  const admin = await signedIn();
  const issued = await admin.run("token issue --name report --scope audit:read --scope node:read --expires 2h");
  expect(issued.code).toBe(0);
  expect(issued.out).toMatch(/^gth_[0-9a-z]{16}_[0-9A-Za-z]{49}\n$/);
  const token = issued.out.trim();
  const id = token.slice(4, 20);
  expect(issued.err).toContain("is shown this once");
  expect(issued.err).not.toContain(token);

  const env = { GATEHOUSE_TOKEN: token };
  const program = await newPerson(server.url);
  expect(await program.json("whoami", { env })).toMatchObject({ code: 0, credential: { kind: "token", id } });
  expect((await program.run("audit search --limit 1", { env })).code).toBe(0);
  expect(await program.run("user list", { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining("user:admin"),
  });
  const more = await program.run("token issue --name more --scope node:read", { env });
  expect(more).toMatchObject({ code: 1, out: "", err: expect.stringContaining("auth.session_required") });
  // The environment wins over the session.
  expect(await admin.json("whoami", { env })).toMatchObject({ credential: { kind: "token" } });

  const listed = await admin.run("token list");
  expect(listed.out).toContain(`${id}  report`);
  expect(listed.out).not.toContain(token);
  expect((await admin.run(`token revoke ${token}`)).out).toBe(`The token ${id} is revoked.\n`);
  expect(await program.run("whoami", { env })).toMatchObject({
    code: 1,
    err: expect.stringContaining("GATEHOUSE_TOKEN"),
  });
  expect((await admin.run("token list")).out).toContain("revoked");
});

test("with --json a token is one document, and nothing is on standard error", async () => {
  const admin = await signedIn();
  const { out, err } = await admin.run("token issue --name x --class assistant --scope node:read,plan:read --json");
  expect(err).toBe("");
  expect(JSON.parse(out)).toMatchObject({ ok: true, class: "assistant", scopes: ["node:read", "plan:read"] });
  const refused = await admin.json("token issue --name x --class assistant --scope plan:apply");
  expect(refused).toMatchObject({ code: 1, error: { code: "token.scope_refused" } });
});

test("a text in GATEHOUSE_TOKEN that is no token is not sent and not repeated", async () => {
  const ada = await newPerson("http://127.0.0.1:1");
  const { code, out, err } = await ada.run("whoami", { env: { GATEHOUSE_TOKEN: "hunter2hunter2" } });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).not.toContain("hunter2");
});

test("a sign-in that is too long ago is proved anew with the password from standard input, once", async () => {
  const admin = await signedIn();
  const before = await readFile(admin.sessionFile, "utf8");
  await server.passSixMinutes();
  const line = "token issue --name late --scope node:read --password-stdin";
  const wrong = await admin.run(line, { input: "not the password\n" });
  expect(wrong).toMatchObject({ code: 1, out: "", err: expect.stringContaining("auth.password_wrong") });
  expect(await admin.run(line, { input: `${owner.password}\n` })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^gth_/),
  });
  expect(await readFile(admin.sessionFile, "utf8")).not.toBe(before);
  expect(await admin.run("token issue --name soon --scope node:read")).toMatchObject({ code: 0 });
  await server.passSixMinutes();
  const both = `${phrase}\n${owner.password}\n`;
  const made = await admin.run("user create --username late --role viewer --password-stdin", { input: both });
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining("Created late (viewer)") });
});

test("with a sign-in that is too long ago a role, enabling, removing, installing and activating need the password; disabling does not", async () => {
  const admin = await signedIn();
  await admin.run("user create --username kim --role viewer --password-stdin", { input: phrase });
  const lines = [
    { line: "user change kim --role owner", does: "kim is now owner and disabled.", code: 0 },
    { line: "user change kim --enable", does: "kim is now owner and enabled.", code: 0 },
    // There is no such plugin: the move went on after the proof.
    { line: "plugin install acme-none", does: "plugin.unknown", code: 1 },
    { line: "plugin activate acme-none", does: "plugin.unknown", code: 1 },
    { line: "user remove kim", does: "Removed kim", code: 0 },
  ];
  await server.passSixMinutes();
  expect((await admin.run("user change kim --disable")).out).toBe("kim is now viewer and disabled.\n");
  expect((await admin.run("plugin disable acme-none")).err).toContain("plugin.unknown");
  for (const { line, does, code } of lines) {
    const unproved = await admin.run(line);
    expect(unproved, line).toMatchObject({ code: 1, out: "", err: expect.stringContaining("asked Password of admin") });
    const proved = await admin.run(`${line} --password-stdin`, { input: `${owner.password}\n` });
    expect(`${proved.code} ${proved.out}${proved.err}`, line).toContain(does);
    expect(proved.code, line).toBe(code);
    await server.passSixMinutes();
  }
});

test("a user is created, changed by name or id, locked out and removed", async () => {
  const admin = await signedIn();
  const made = await admin.json("user create --username Bob --role viewer --password-stdin", { input: phrase });
  expect(made).toMatchObject({ code: 0, username: "bob", role: "viewer", disabled: false });
  const again = await admin.run("user create --username bob --role viewer --password-stdin", { input: phrase });
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("user.name_taken") });
  const bob = await signedIn("bob", phrase);
  expect(await bob.run("user list")).toMatchObject({ code: 1, err: expect.stringContaining("auth.scope_missing") });

  const promoted = await admin.run(`user change ${String(made["id"])} --role auditor`);
  expect(promoted).toMatchObject({ code: 0, out: "bob is now auditor and enabled.\n" });
  expect((await bob.run("whoami")).code).toBe(1);
  expect(await admin.json("user change BOB --disable")).toMatchObject({ code: 0, role: "auditor", disabled: true });
  const locked = await bob.run("login --username bob --password-stdin", { input: phrase });
  expect(locked).toMatchObject({ code: 1, err: expect.stringContaining("auth.sign_in_refused") });
  expect((await admin.run("user change bob --enable --role viewer")).out).toBe("bob is now viewer and enabled.\n");
  await signedIn("bob", phrase);
  expect((await admin.run("user list")).out).toMatch(/ bob +viewer +enabled /);

  expect(await admin.run("user remove bob")).toMatchObject({ code: 0, out: expect.stringMatching(/^Removed bob /) });
  expect(await admin.run("user remove bob")).toMatchObject({ code: 1, err: expect.stringContaining("user.unknown") });
  const last = await admin.run("user change admin --disable");
  expect(last).toMatchObject({ code: 1, err: expect.stringContaining("user.last_owner") });
});

test("the audit log is searched, and the server checks it", async () => {
  const admin = await signedIn();
  await admin.run("token issue --name findable-words --scope node:read");
  const { items, more } = (await admin.json("audit search --action token. --text findable --limit 5")) as unknown as {
    items: { action: string; at: string; position: number; subject: string }[];
    more: boolean;
  };
  expect(items.map(({ action }) => action)).toEqual(["token.issued"]);
  expect(more).toBe(false);
  const [found = { at: "", subject: "", position: 0 }] = items;
  const { out } = await admin.run(`audit search --subject ${found.subject} --from ${found.at}`);
  expect(out).toMatch(new RegExp(`^1 entry\\n.*\\n +${found.position} .* token.issued .* done `));
  expect((await admin.run(`audit search --subject ${found.subject} --to ${found.at}`)).out).toBe("0 entries\n");
  const day = found.at.slice(0, 10);
  expect((await admin.run(`audit search --from ${day} --limit 1`)).out).toContain("there are older ones");

  const whole = await admin.json("audit check");
  expect(whole).toMatchObject({ code: 0, ok: true, broken: null, floor: { position: 0 } });
});

test.each([
  ["login --server http://gatehouse.example.com --username ada", "plain http is for loopback only"],
  ["login --password-stdin", "--password-stdin needs --username=NAME"],
  ["login --username admin --password hunter2", "there is no option --password"],
  ["session end", "name one session by its ID, or write --others"],
  ["session end ses_x --others", "name one session by its ID, or write --others"],
  ["token issue --scope node:read", "--name is missing"],
  ["token issue --name x --scope node:raed", "did you mean node:read?"],
  ["token issue --name x --scope node:read --expires 91d", "from 1m to 90d"],
  ["token issue --name x --scope node:read --class robot", "it takes automation, assistant"],
  ["user create --username ada --role king", "it takes owner, operator"],
  ["user create --username a/b --role viewer", "--username takes"],
  ["user change ada", "nothing to change"],
  ["user change ada --enable --disable", "exclude each other"],
  ["user remove", "USER is missing"],
  ["audit search --limit 0", "from 1 to 10000"],
  ["audit search --from yesterday", "--from takes 2026-11-15"],
  ["audit search --from 2026-11-15T08:30:00", "--from takes 2026-11-15"],
])("`gatehouse %s` is refused before anything is asked or sent", async (line, problem) => {
  const ada = await newPerson("http://127.0.0.1:1");
  const { code, out, err } = await ada.run(line);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(problem);
});
