import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newPerson, type Person } from "./gatehouse.ts";
import { owner, type RealServer, startRealServer } from "./real-server.ts";

/** What a person sees who types: on a real terminal, made by script(1). */
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

async function signedIn(): Promise<Person> {
  const person = await newPerson(server.url);
  const login = await person.run("login --username admin --password-stdin", { input: owner.password });
  expect(login.code).toBe(0);
  return person;
}

test("a name is seen while it is typed, and a password is not", async () => {
  const ada = await newPerson(server.url);
  const program = ada.onTerminal("gatehouse login");
  await program.waitFor("User name: ");
  program.write("admin\r");
  await program.waitFor(`Password of admin at ${server.url}: `);
  program.write(`${owner.password}\r`);
  await program.waitFor("Signed in as admin (owner)");
  const { code, out: seen } = await program.ended;
  expect(code).toBe(0);
  // That the name was echoed shows that the terminal would have shown the password too.
  expect(seen).toContain("User name: admin\r\n");
  expect(seen).toContain(`Password of admin at ${server.url}: \r\n`);
  expect(seen).not.toContain(owner.password);
  expect((await ada.run("whoami")).code).toBe(0);
});

test("the terminal shows again what is typed, once the password was entered", async () => {
  const ada = await newPerson(server.url);
  const program = ada.onTerminal('gatehouse login --username admin; read answer; echo "heard $answer"');
  await program.waitFor("Password of admin");
  program.write(`${owner.password}\r`);
  await program.waitFor("Signed in as admin");
  program.write("visible\r");
  await program.waitFor("visible\r\nheard visible");
  await program.ended;
});

test("control C ends the question: nothing is sent, nothing is kept, and the terminal is as it was", async () => {
  const ada = await newPerson(server.url);
  const program = ada.onTerminal('gatehouse login --username admin; echo "code $?"; stty -a');
  await program.waitFor("Password of admin");
  program.write("seven la\u0003");
  await program.waitFor("cli.cancelled");
  await program.waitFor("code 1");
  const { out } = await program.ended;
  expect(out).toMatch(/ icanon .*/);
  expect(out).toMatch(/ echo /);
  expect(out).not.toContain("seven la");
  expect((await ada.run("whoami")).err).toContain("cli.not_signed_in");
});

test("a password is corrected unseen", async () => {
  const ada = await newPerson(server.url);
  const program = ada.onTerminal("gatehouse login --username admin");
  await program.waitFor("Password of admin");
  program.write(`wrong\u0015${owner.password}xy\u007f\u007f\r`);
  await program.waitFor("Signed in as admin");
  expect((await program.ended).out).not.toContain("otters");
});

test("lines that are typed or pasted ahead answer the questions in their order", async () => {
  const ada = await signedIn();
  const next = "nine lazy otters";
  const program = ada.onTerminal("gatehouse password");
  await program.waitFor("Current password of admin");
  program.write(`${owner.password}\r${next}\r${next}\r`);
  await program.waitFor("The password of admin is changed");
  const { out } = await program.ended;
  expect(out).toContain("New password of admin: ");
  expect(out).toContain("The same again: ");
  expect(out).not.toContain("otters");
  const back = await ada.run("password --password-stdin", { input: `${next}\n${owner.password}\n${owner.password}` });
  expect(back.code).toBe(0);
});

test("a token goes to the script, the question about the password to the person", async () => {
  const ada = await signedIn();
  await server.passSixMinutes();
  const file = join(dirname(ada.sessionFile), "token");
  const program = ada.onTerminal(`gatehouse token issue --name script --scope node:read < /dev/null > ${file}`);
  await program.waitFor(`Password of admin at ${server.url}: `);
  program.write(`${owner.password}\r`);
  await program.waitFor("is shown this once");
  const { code, out } = await program.ended;
  expect(code).toBe(0);
  const token = await readFile(file, "utf8");
  expect(token).toMatch(/^gth_[0-9a-z]{16}_[0-9A-Za-z]{49}\n$/);
  expect(out).not.toContain(token.trim());
});

test("--password-stdin does not read a terminal, where it would be seen", async () => {
  const ada = await newPerson(server.url);
  const program = ada.onTerminal("gatehouse login --username admin --password-stdin");
  await program.waitFor("on a terminal leave it out");
  expect((await program.ended).code).toBe(2);
});

test("without a terminal there is nobody to ask, and it says what to do", async () => {
  const ada = await newPerson(server.url);
  // In a session of its own a program has no terminal, however the tests were started.
  const line = '"$NODE" "$CLI" login --username admin';
  const program = ada.onTerminal(`setsid --wait ${line} < /dev/null; echo "code $?"`);
  await program.waitFor("cli.no_terminal");
  await program.waitFor("--password-stdin");
  await program.waitFor("code 1");
  await program.ended;
});
