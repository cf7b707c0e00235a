import { hash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { roles } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { findSecrets } from "./support/find-secrets.ts";
import { call, enter, newPerson, newToken, type Headers, type Person } from "./support/people.ts";
import { readOpenApi } from "./support/openapi.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Nezha, Gitea, File Browser: a list answered with whole records, password hashes and tokens among them. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

test("no GET and no event tells a password, a hash, a token or a session's value", async (context) => {
  const owner = await enter(port);
  const people: Person[] = [owner];
  for (const role of roles) people.push(await newPerson(port, owner, role));
  const tokens = [];
  for (const person of people) tokens.push(await newToken(port, person, ["node:read"]));
  const wide = await newToken(port, owner, ["user:admin", "token:admin", "audit:read"]);
  tokens.push(wide);
  const values = people.map(({ cookie }) => cookie.split("=")[1] ?? "");
  const plain = [...people.map(({ password }) => password), ...values, ...tokens.map(({ token }) => token)];
  const digests = [...values, ...tokens.map(({ token }) => token)].map((secret) => hash("sha256", secret));
  const hookPath = "path-of-a-webhook-that-only-its-owner-knows";
  const hook = await call<{ id: string; secret: string }>(port, "POST", "/api/webhooks", {
    as: owner.as,
    body: { name: "chat", url: `https://127.0.0.1:9/${hookPath}?token=${hookPath}`, events: ["alert.opened"] },
  });
  expect((await call(port, "POST", `/api/webhooks/${hook.body.id}/test`, { as: owner.as })).status).toBe(200);
  plain.push(hookPath, hook.body.secret);
  const kept = await filesOf(server.dataDir);
  const hashes = [...new Set(kept.match(/\$argon2id\$[^"\\]+/g))];
  expect(hashes).toHaveLength(people.length);
  // The digests are looked for because they are there to be found.
  for (const digest of digests) expect(kept).toContain(digest);
  const secrets = [...plain, ...digests, ...hashes, ...hashes.map((phc) => phc.split("$").at(-1) ?? phc)];

  const { operations } = await readOpenApi(port);
  const paths = operations
    .filter(({ method, path }) => method === "GET" && path !== "/api/events")
    .flatMap(({ path }) => {
      if (!path.includes("{id}")) return [path];
      return [...people, hook.body].map(({ id }) => path.replace("{id}", id));
    });
  const readers: Headers[] = [[], ...people.map(({ as }) => as), ...tokens.map(({ as }) => as)];
  let answers = 0;
  for (const as of readers) {
    for (const path of paths) {
      const { raw } = await call(port, "GET", path, { as });
      const text = `${raw.head}\n${raw.body.toString()}`;
      expect(findSecrets(text, secrets), path).toEqual([]);
      if (path !== "/api/openapi.json") expect(text, path).not.toMatch(/argon2|passwordHash|"hash"|\bsalt\b/);
      answers += 1;
    }
  }
  let events = 0;
  for (const as of [owner.as, wide.as]) {
    using stream = openEventStream(port, as);
    await stream.until(() => stream.heard().length > people.length * 2);
    expect(findSecrets(stream.text(), secrets)).toEqual([]);
    events += stream.heard().length;
  }
  tried(context, `${count(secrets.length, "secrets")} in ${count(answers, "answers")} and ${count(events, "events")}`);
});

async function filesOf(directory: string): Promise<string> {
  const names = (await readdir(directory)).filter((name) => name.startsWith("state.json"));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "latin1")));
  return texts.join("\n");
}
