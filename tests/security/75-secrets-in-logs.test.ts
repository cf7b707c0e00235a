import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { readSetting, readSettings } from "@gatehouse/contract/settings";
import { openFileStore, openSecrets } from "@gatehouse/store";
import { create } from "@gatehouse/store/decide";
import { expect, test } from "vitest";
import { inventedKey, inventedKinds } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { startPlanted } from "./inside/planted-server.ts";
import { Chance, counts } from "./support/chance.ts";
import { findSecrets } from "./support/find-secrets.ts";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { readOpenApi } from "./support/openapi.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { makeScratch } from "./support/scratch.ts";
import { issueToken, signIn, signInRequest } from "./support/sign-in.ts";
import { startRefused } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** OpenBao and Vault: secrets were hidden by field, and a field of another type was not. So: by value, everywhere. */
const chance = new Chance("secrets");
const adminPassword = `pw-${chance.word(30)}`;
const metricsToken = `mt-${chance.word(40)}`;
const sentSecret = `sent-${chance.word(30)}`;
/** Not of the form of a user name: a name is noted when it is refused, and people type passwords into that field. */
const typedPassword = `typed! ${chance.word(30)}`;
const server = await sharedServer({
  env: {
    SERVICE_ADMIN_USERNAME: "admin",
    SERVICE_ADMIN_PASSWORD: adminPassword,
    SERVICE_METRICS_TOKEN: metricsToken,
    SERVICE_GEOIP_LOOKUP_URL: `https://geo.example.test/{ip}?token=geo-${sentSecret}`,
    SERVICE_TRUST_PROXY: "1",
    SERVICE_SLOW_REQUEST_MS: "1",
  },
});
const masterKey = (await readFile(join(server.dataDir, "master.key"), "utf8")).trim();

const json = [["Content-Type", "application/json"]] as const;

/** A secret in every place of a request that can hold one. */
function carriers(secret: string): RequestOptions[] {
  const body = (value: unknown): RequestOptions => ({
    method: "POST",
    path: "/api/csp-reports",
    headers: [newClient(), ["Content-Type", "application/json"]],
    body: JSON.stringify(value),
  });
  return [
    ...[
      "Authorization",
      "Cookie",
      "X-Api-Key",
      "User-Agent",
      "Referer",
      "Origin",
      "If-None-Match",
      "Last-Event-ID",
    ].flatMap((name) => [
      { path: "/api/events", headers: [[name, secret] as const] },
      { path: "/api/metrics", headers: [[name, `Bearer ${secret}`] as const] },
      { path: "/", headers: [[name, `gatehouse=${secret}`] as const] },
    ]),
    ...["/api/version", "/api/events", "/api/none", "/", "/assets/x"].map((path) => ({
      path: `${path}?password=${secret}`,
    })),
    body({ "csp-report": { "blocked-uri": secret, "document-uri": `https://x.test/?t=${secret}` } }),
    body([
      {
        type: "csp-violation",
        body: { effectiveDirective: secret, blockedURL: `data:${secret}`, documentURL: secret },
      },
    ]),
    body({ password: secret, nested: { list: [secret, { secret }] } }),
    { ...body({}), body: `{"password":"${secret}",}` },
    { ...body({}), body: secret },
    { ...body({}), headers: [newClient(), ["Content-Type", secret]] },
    { path: "/api/version", headers: [["X\u00ff", secret]] },
    { path: "/api/version", headers: [["Expect", secret]] },
    {
      path: "/api/version",
      headers: [
        ["Upgrade", secret],
        ["Connection", "upgrade, close"],
      ],
    },
    { method: "POST", path: "/api/version", headers: [["Transfer-Encoding", "chunked"]], body: `zz\r\n${secret}` },
  ];
}

test("no secret of the installation, and none that was sent, is written or answered anywhere", async (context) => {
  const { operations } = await readOpenApi(server.port);
  const administrator = await signIn(server.port, adminPassword);
  const [, session = ""] = administrator.cookie.split("=");
  const pat = await issueToken(server.port, administrator);
  const secrets = [adminPassword, metricsToken, sentSecret, masterKey, typedPassword, session, pat];
  const requests = joined(
    secrets.flatMap(carriers),
    operations.map(({ method, path }) => ({ method, path: path.replaceAll(/\{[a-zA-Z]+\}/g, "1") })),
    operations
      .filter(({ method }) => method === "GET")
      .map(({ path }) => administrator.as({ path: path.replaceAll(/\{[a-zA-Z]+\}/g, "1") })),
    [
      signInRequest({ username: "admin", password: typedPassword }),
      signInRequest({ username: typedPassword, password: typedPassword }),
      signInRequest({ username: "admin", password: adminPassword, extra: typedPassword }),
      signInRequest([typedPassword]),
      signInRequest({ username: { typedPassword }, password: [typedPassword] }),
      administrator.as({
        method: "POST",
        path: "/api/auth/step-up",
        headers: json,
        body: JSON.stringify({ password: typedPassword }),
      }),
      administrator.as({
        method: "POST",
        path: "/api/auth/password",
        headers: json,
        body: JSON.stringify({ currentPassword: typedPassword, newPassword: typedPassword }),
      }),
      administrator.as({
        method: "POST",
        path: "/api/auth/password",
        headers: json,
        body: JSON.stringify({ currentPassword: adminPassword, newPassword: `${typedPassword} new` }),
      }),
    ],
    [{ path: "/api/metrics", headers: [["Authorization", `Bearer ${metricsToken}`]] as const }],
  );
  const answers = await inLanes(requests, 8, (request) => send(server.port, request));
  // The name of an unknown field is told to whoever sent it, and to nobody else.
  expect((await send(server.port, signInRequest({ [typedPassword]: adminPassword }))).status).toBe(400);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  const answered = answers.map(({ head, body }) => `${head}\n${body.toString("latin1")}`).join("\n");
  expect(await server.stop()).toBe(0);
  const written = {
    answers: answered,
    stdout: server.stdout(),
    stderr: server.stderr(),
    ...(await filesOf(server.dataDir)),
  };
  expect(Object.keys(written)).toEqual(expect.arrayContaining(["state.json", "state.json.audit-wal", "logs.db"]));
  for (const [name, text] of Object.entries(written)) {
    if (name === "master.key") continue;
    expect(findSecrets(text, secrets), name).toEqual([]);
  }
  tried(
    context,
    `${count(secrets.length, "secrets")} in ${count(requests.length, "requests")}, looked for in ${count(Object.keys(written).length, "places")}`,
  );
});

test("a secret in a setting that is refused is not repeated in the refusal", async (context) => {
  const secret = `start-${chance.word(30)}`;
  await using scratch = await makeScratch();
  const keyFile = join(scratch.path, "key");
  await writeFile(keyFile, `${secret}\n`);
  const environments: readonly Record<string, string>[] = [
    { SERVICE_ADMIN_PASSWORD: `<${secret}>` },
    { SERVICE_ADMIN_PASSWORD: `${secret}\n` },
    { SERVICE_ADMIN_PASWORD: secret },
    { SERVICE_METRICS_TOKEN: `${secret}!` },
    { SERVICE_METRIC_TOKEN: secret },
    { SERVICE_BACKUP_RECIPIENT: `AGE-SECRET-KEY-${secret}` },
    { SERVICE_GEOIP_LOOKUP_URL: `http://geo.test/{ip}?token=${secret}` },
    { SERVICE_PUBLIC_URL: `https://user:${secret}@x.test` },
    { SERVICE_CSP_SCRIPT_SRC: `https://user:${secret}@x.test` },
    { SERVICE_CSP_CONNECT_SRC: `https://a.test https://user:${secret}@x.test` },
    { SERVICE_MASTER_KEY_FILE: keyFile },
    { SERVICE_DATA_DIR: keyFile, SERVICE_ADMIN_PASSWORD: secret },
  ];
  for (const environment of environments.slice(0, -2)) {
    const about = JSON.stringify(environment);
    const read = () => {
      readSettings(environment);
      // Which the first start judges, when it makes the account.
      readSetting("SERVICE_ADMIN_PASSWORD", environment["SERVICE_ADMIN_PASSWORD"]);
    };
    expect(read, about).toThrow("SERVICE_");
    const refusal = catchError(read);
    expect(findSecrets(inspect(refusal, { depth: 9, showHidden: true }), [secret]), about).toEqual([]);
  }
  // Those that only the running program can refuse, and a few of the others as it prints them.
  const started = [...environments.slice(0, -2).slice(0, counts["75 refused starts"]), ...environments.slice(-2)];
  const said = await inLanes(started, 2, (environment) => startRefused(environment));
  for (const [at, { code, stdout, stderr }] of said.entries()) {
    expect(code, JSON.stringify(started[at])).toBe(1);
    expect(findSecrets(stdout + stderr, [secret]), JSON.stringify(started[at])).toEqual([]);
  }
  tried(context, `${count(environments.length, "refused settings")}, ${count(started.length, "refused starts")}`);
});

test("a handler that throws its secrets, in any type, tells neither the client nor the log more than the message", async (context) => {
  const secret = `thrown-${chance.word(30)}`;
  const carrying: readonly unknown[] = [
    Object.assign(new Error("failed"), { secret, request: { headers: { authorization: secret } } }),
    Object.assign(new Error("failed"), { bytes: Buffer.from(secret), [Symbol("secret")]: secret }),
    { secret },
    [secret],
    Buffer.from(secret),
    new Map([["secret", secret]]),
    Object.assign(new AggregateError([{ secret }], "several"), { secret }),
    new Error("outer", { cause: { secret } }),
  ];
  for (const thrown of carrying) {
    const spec = {
      method: "GET",
      path: "/api/planted/fails",
      summary: "x",
      access: { kind: "public", because: "a test" },
      responses: { 200: null },
    } as const;
    const handle = () => {
      throw thrown;
    };
    await using planted = await startPlanted({ routes: [{ spec, handle }] });
    const answer = await send(planted.port, { path: spec.path });
    expect(answer.status).toBe(500);
    expect(planted.log.length).toBeGreaterThan(0);
    expect(findSecrets(`${answer.head}${answer.body.toString()}${planted.log.join("")}`, [secret])).toEqual([]);
  }
  tried(context, count(carrying.length, "thrown things"));
});

test("a sealed secret is in none of the files, however it is nested", async (context) => {
  await using scratch = await makeScratch();
  const directory = join(scratch.path, "data");
  const store = await openFileStore({ directory, kinds: inventedKinds });
  const secrets = openSecrets(store.key);
  const plain = [`text-${chance.word(30)}`, Buffer.from(`bytes-${chance.word(30)}`), `unicode-ü€-${chance.word(30)}`];
  for (const [at, secret] of plain.entries()) {
    const place = { kind: "user", id: String(at), field: "secret" };
    const sealed = secrets.seal(place, secret);
    const value = { sealed, nested: { list: [sealed, { again: sealed }] } };
    const entry = inventedEntry({
      at: 1,
      actor: "system",
      action: "user.kept",
      subject: `user/${at}`,
      detail: { field: "secret" },
    });
    await store.commit(entry, [create(inventedKey(`user/${at}`), value)]);
    expect(secrets.open(place, sealed).equals(Buffer.from(secret))).toBe(true);
  }
  const open = await filesOf(directory);
  await store.close();
  const closed = await filesOf(directory);
  const keys = [
    (closed["master.key"] ?? "").trim(),
    store.key.subkey("state-hmac").toString("hex"),
    store.key.subkey("secret/user").toString("hex"),
  ];
  for (const [name, text] of [...Object.entries(open), ...Object.entries(closed)]) {
    expect(findSecrets(text, plain.map(String)), name).toEqual([]);
    if (name !== "master.key") expect(findSecrets(text, keys), name).toEqual([]);
  }
  tried(context, `${count(plain.length, "sealed secrets")} in ${count(Object.keys(closed).length, "files")}`);
});

test("the search finds a secret in every form in which one can hide", () => {
  const secret = "a-secret-with-0123456789-in-it";
  const bytes = Buffer.from(secret);
  const hidden = [
    secret,
    encodeURIComponent(secret),
    bytes.toString("hex"),
    `x${bytes.toString("base64")}`,
    Buffer.from(secret, "utf16le").toString("latin1"),
    JSON.stringify([...bytes]),
  ];
  for (const text of hidden) expect(findSecrets(`before ${text} after`, [secret]), text).toHaveLength(1);
  expect(findSecrets("nothing here", [secret])).toEqual([]);
});

function catchError(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function filesOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name, parentPath }) => [name, await readFile(join(parentPath, name), "latin1")] as const),
  );
  return Object.fromEntries(texts);
}
