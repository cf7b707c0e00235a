import { hash, randomBytes } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFileStore, openSecrets } from "@gatehouse/store";
import { expect, test } from "vitest";
import { findSecrets } from "./support/find-secrets.ts";
import { call, enter, newPerson, newToken } from "./support/people.ts";
import { makeScratch } from "./support/scratch.ts";
import { startRefused, startServer } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** Dozzle, nginx-ui, Rundeck: a copy of the files was enough, for passwords lay there plain or under a fast hash. */
test("passwords are under argon2id, tokens and sessions under SHA-256, and without the master key nothing opens", async (context) => {
  await using scratch = await makeScratch();
  const dataDir = join(scratch.path, "data");
  const env = { SERVICE_TRUST_PROXY: "1" };
  const secrets: string[] = [];
  const digested: string[] = [];
  {
    await using server = await startServer({ dataDir, env });
    const owner = await enter(server.port);
    // The same password twice: equal hashes would tell whose are the same.
    const password = "the twins keep otters";
    for (const username of ["castor", "pollux"]) {
      const body = { username, role: "viewer", password };
      expect((await call(server.port, "POST", "/api/users", { as: owner.as, body })).status).toBe(201);
    }
    const user = await newPerson(server.port, owner, "operator", "wanda");
    for (let at = 0; at < 4; at += 1) digested.push((await newToken(server.port, user, ["node:read"])).token);
    for (const { cookie } of [owner, user]) digested.push(cookie.split("=")[1] ?? "");
    const hookPath = "path-of-a-webhook-that-only-its-owner-knows";
    const hook = await call<{ id: string; secret: string }>(server.port, "POST", "/api/webhooks", {
      as: owner.as,
      body: { name: "chat", url: `https://127.0.0.1:9/${hookPath}`, events: ["alert.opened"] },
    });
    expect((await call(server.port, "POST", `/api/webhooks/${hook.body.id}/test`, { as: owner.as })).status).toBe(200);
    secrets.push(hookPath, hook.body.secret);
    secrets.push(owner.password, user.password, password, ...digested);
    expect(await server.stop()).toBe(0);
  }
  const files = await filesOf(dataDir);
  for (const [name, text] of files) expect(findSecrets(text, secrets), name).toEqual([]);
  const all = [...files.values()].join("\n");
  const hashes = [...new Set(all.match(/\$argon2[^"\\]+/g))];
  expect(hashes).toHaveLength(4);
  for (const phc of hashes) {
    const [, memory, passes, salt = "", tag = ""] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(phc) ?? [];
    expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024);
    expect(Number(passes)).toBeGreaterThanOrEqual(2);
    expect(Buffer.from(salt, "base64").length).toBeGreaterThanOrEqual(16);
    expect(Buffer.from(tag, "base64").length).toBeGreaterThanOrEqual(32);
  }
  expect(new Set(hashes.map((phc) => phc.split("$")[4])).size).toBe(hashes.length);
  for (const secret of digested) expect(all).toContain(hash("sha256", secret));
  // 256 random bits each: a fast digest of them cannot be guessed back.
  for (const token of digested.slice(0, 4)) expect(token).toMatch(/^gth_[0-9a-z]{16}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/);

  const keyFile = join(dataDir, "master.key");
  const key = await readFile(keyFile, "utf8");
  const state = files.get("state.json.audit-wal");
  await rm(keyFile);
  const missing = await startRefused({ SERVICE_DATA_DIR: dataDir });
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.stdout + missing.stderr).toContain("master.key is missing");
  await writeFile(keyFile, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  const wrong = await startRefused({ SERVICE_DATA_DIR: dataDir });
  expect(wrong).toMatchObject({ code: 1 });
  expect(wrong.stdout + wrong.stderr).toContain("Mount the master.key that was backed up");
  // Neither start has touched what was there: with its key it all opens again.
  expect((await filesOf(dataDir)).get("state.json.audit-wal")).toBe(state);
  await writeFile(keyFile, key, { mode: 0o600 });
  await using server = await startServer({ dataDir, env });
  await enter(server.port);
  tried(
    context,
    `${count(hashes.length, "passwords")}, ${count(digested.length, "tokens and sessions")}, 2 starts without the key`,
  );
});

test("a sealed secret does not open under another key or in another place", async (context) => {
  await using scratch = await makeScratch();
  const store = await openFileStore({ directory: join(scratch.path, "data") });
  const other = await openFileStore({ directory: join(scratch.path, "other") });
  const place = { kind: "user", id: "1", field: "totp" };
  const sealed = openSecrets(store.key).seal(place, "a secret");
  expect(openSecrets(store.key).open(place, sealed).toString()).toBe("a secret");
  expect(() => openSecrets(other.key).open(place, sealed)).toThrow("secret.unreadable");
  for (const moved of [
    { ...place, id: "2" },
    { ...place, field: "key" },
    { ...place, kind: "node" },
  ]) {
    expect(() => openSecrets(store.key).open(moved, sealed)).toThrow("secret.unreadable");
  }
  await store.close();
  await other.close();
  tried(context, "another key, 3 other places");
});

async function filesOf(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const kept = entries.filter((entry) => entry.isFile() && entry.name !== "master.key");
  return new Map(
    await Promise.all(
      kept.map(async ({ name, parentPath }) => [name, await readFile(join(parentPath, name), "latin1")] as const),
    ),
  );
}
