import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newPerson, type Person } from "./gatehouse.ts";
import { owner, type RealServer, startRealServer } from "./real-server.ts";

const next = "nine lazy otters";

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-reset-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

async function start(directory: string): Promise<RealServer> {
  const server = await startRealServer(directory);
  onTestFinished(() => server.kill());
  return server;
}

async function signIn(
  { url }: RealServer,
  username: string,
  password: string,
): Promise<{ code: number | null; person: Person }> {
  const person = await newPerson(url);
  const { code } = await person.run(`login --username ${username} --password-stdin`, { input: password });
  return { code, person };
}

test("a forgotten password is set beside the stopped server, and works at its next start", async () => {
  const directory = await newDirectory();
  const first = await start(directory);
  const reset = `user reset-password admin --data-dir ${first.dataDir}`;
  const { person: admin } = await signIn(first, owner.username, owner.password);
  await admin.run("user create --username eve --role owner --password-stdin", { input: owner.password });
  await admin.run("user change eve --disable");
  const running = await admin.run(`${reset} --password-stdin`, { input: next });
  expect(running).toMatchObject({ code: 1, err: expect.stringContaining("store.locked") });
  await first.stop();

  const offline = await newPerson("http://127.0.0.1:1");
  const program = offline.onTerminal(`gatehouse ${reset}`);
  await program.waitFor("New password of admin: ");
  program.write(`${next}\r`);
  await program.waitFor("The same again: ");
  program.write(`${next}\r`);
  await program.waitFor("The password of admin is set; 1 session ended.");
  expect(await program.ended).toMatchObject({ code: 0, out: expect.not.stringContaining(next) });
  const eve = `user reset-password eve --data-dir ${first.dataDir} --password-stdin`;
  expect((await offline.run(eve, { input: next })).out).toContain("is disabled and cannot sign in");
  expect(await offline.json(`${eve} --enable`, { input: next })).toMatchObject({ code: 0, user: { disabled: false } });
  expect((await offline.run(`audit verify --data-dir ${first.dataDir}`)).code).toBe(0);

  const second = await start(directory);
  expect((await signIn(second, owner.username, owner.password)).code).toBe(1);
  const again = await signIn(second, owner.username, next);
  expect(again.code).toBe(0);
  const { items } = (await again.person.json("audit search --action user.password_reset")) as unknown as {
    items: { actor: string }[];
  };
  expect(items.map(({ actor }) => actor)).toEqual(["cli", "cli", "cli"]);
  // Two owners are enabled, so one of them may go.
  expect((await signIn(second, "eve", next)).code).toBe(0);
  expect((await again.person.run("user change admin --disable")).code).toBe(0);
  await second.stop();
});

test("a directory without a server's data is left as it is", async () => {
  const directory = await newDirectory();
  const offline = await newPerson("http://127.0.0.1:1");
  const line = `user reset-password admin --data-dir ${directory} --password-stdin`;
  const { code, err } = await offline.run(line, { input: next });
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("does not hold the data of a server") });
  expect(await readdir(directory)).toEqual([]);
});
