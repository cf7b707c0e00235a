import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingNames, settings as table } from "@gatehouse/contract/settings";
import { describe, expect } from "vitest";
import { ask } from "./ask.ts";
import { freshDirectory } from "./driver/directories.ts";
import { runServer, startServer, testWithControl as test } from "./server-under-test.ts";

/** Contract 5.1 setting by setting, and the sentences of 5 that speak about them. */
const absent = join(freshDirectory(), "absent");

/** For each variable of the contract's table: values it does not take, and a piece of what is written instead. */
const refused: readonly { name: string; values: readonly string[]; instead: RegExp }[] = [
  { name: "SERVICE_ADMIN_USERNAME", values: ["two words", "Admin", "a".repeat(65)], instead: /=admin\b/ },
  { name: "SERVICE_ADMIN_PASSWORD", values: ["short", "<ADMIN_PASSWORD>"], instead: /12 random characters/ },
  {
    name: "SERVICE_PUBLIC_URL",
    values: ["http://gatehouse.example.com", "https://gatehouse.example.com/path"],
    instead: /=https:\/\/gatehouse\.example\.com\b/,
  },
  { name: "SERVICE_SECURE_COOKIES", values: ["true"], instead: /SERVICE_SECURE_COOKIES=[01]\b/ },
  { name: "SERVICE_TRUST_PROXY", values: ["yes", "127.0.0.1"], instead: /SERVICE_TRUST_PROXY=[01]\b/ },
  {
    name: "SERVICE_GEOIP_LOOKUP_URL",
    values: ["http://geo.example.com/{ip}", "https://geo.example.com/"],
    instead: /=off\b/,
  },
  { name: "SERVICE_ACCESS_LOG", values: ["all"], instead: /SERVICE_ACCESS_LOG=[01]\b/ },
  { name: "SERVICE_SLOW_REQUEST_MS", values: ["1s", "-1", "0"], instead: /=1000\b/ },
  { name: "SERVICE_MASTER_KEY_FILE", values: [absent], instead: /[Mm]ount|[Rr]estore|remove/ },
  { name: "SERVICE_PLUGIN_DIR", values: ["/plugins\r"], instead: /=\/plugins\b/ },
  { name: "SERVICE_PLUGIN_TRUST", values: ['{"publishers":'], instead: /=\/etc\/gatehouse\/plugin-trust\.json/ },
];

describe("Configuration settings: a bad value stops the start with one line that says what to write instead", () => {
  for (const { name, values, instead } of refused) {
    test(`\`${name}\``, async () => {
      for (const value of values) {
        const dataDir = join(freshDirectory(), "data");
        const { code, out, err } = await runServer([], { dataDir, settings: { [name]: value } });
        expect({ value, code, out }).toEqual({ value, code: 1, out: "" });
        expect(err.split("\n"), value).toHaveLength(1);
        expect(err, value).toContain(name);
        expect(err, value).toMatch(instead);
        // Whether these two count is in the data, so they are judged when it is open.
        const opensData = name.startsWith("SERVICE_ADMIN_");
        if (!opensData) expect(existsSync(join(dataDir, "state.json")), value).toBe(false);
      }
    });
  }

  test("a variable that does not exist is refused with the name that was meant", async () => {
    const { code, err } = await runServer([], { settings: { SERVICE_SLOW_REQUESTS_MS: "1000" } });
    expect(code).toBe(1);
    expect(err).toMatch(/SERVICE_SLOW_REQUESTS_MS: there is no such setting; write SERVICE_SLOW_REQUEST_MS\b/);
  });

  test("every variable of the table is taken together, with values of its shape", async () => {
    const plugins = freshDirectory();
    const key = join(freshDirectory(), "master.key");
    writeFileSync(key, `${"0f".repeat(32)}\n`, { mode: 0o600 });
    const server = await startServer({
      settings: {
        SERVICE_ADMIN_USERNAME: "admin",
        SERVICE_ADMIN_PASSWORD: "correct horse battery staple",
        SERVICE_PUBLIC_URL: "https://gatehouse.example.com",
        SERVICE_SECURE_COOKIES: "1",
        SERVICE_TRUST_PROXY: "1",
        SERVICE_GEOIP_LOOKUP_URL: "https://geo.example.com/json?address={ip}",
        SERVICE_ACCESS_LOG: "1",
        SERVICE_SLOW_REQUEST_MS: "250",
        SERVICE_MASTER_KEY_FILE: key,
        SERVICE_PLUGIN_DIR: plugins,
        SERVICE_PLUGIN_TRUST: '{"publishers":{},"revoked":{"keys":[],"digests":[]}}',
      },
    });
    expect((await ask(server.baseUrl, "/api/health")).status).toBe(200);
  });

  test("an empty variable counts as unset, as compose files pass it", async () => {
    const optional = refused.filter(({ name }) => !name.startsWith("SERVICE_ADMIN_"));
    const empty = Object.fromEntries(optional.map(({ name }) => [name, ""]));
    const server = await startServer({ settings: empty });
    expect((await ask(server.baseUrl, "/api/health")).status).toBe(200);
  });
});

describe("`SERVICE_ADMIN_USERNAME` and `SERVICE_ADMIN_PASSWORD`", () => {
  const good = { username: "ines", password: "nine patient herons" };
  const variables = ({ username, password }: typeof good) => ({
    SERVICE_ADMIN_USERNAME: username,
    SERVICE_ADMIN_PASSWORD: password,
  });

  test("make the first administrator, also after a start that refused other ones", async () => {
    const dataDir = join(freshDirectory(), "data");
    const refusedStart = await runServer([], { dataDir, settings: variables({ ...good, username: "Ines" }) });
    expect(refusedStart.code).toBe(1);
    const server = await startServer({ dataDir, settings: variables(good) });
    expect(await signInAs(server.baseUrl, good)).toEqual([200, "ines", "owner"]);
    expect(await signInAs(server.baseUrl, { ...good, password: "ten patient herons" })).toContain(401);
  });

  test("once any user exists, changing them changes neither the name nor the password, and stops no start", async () => {
    const dataDir = join(freshDirectory(), "data");
    await (await startServer({ dataDir, settings: variables(good) })).stop();
    for (const other of [
      { username: "Admin", password: "short" },
      { username: "somebody", password: "another long phrase" },
    ]) {
      const server = await startServer({ dataDir, settings: variables(other) });
      expect(await signInAs(server.baseUrl, good), other.username).toContain(200);
      expect(await signInAs(server.baseUrl, other), other.username).toContain(401);
      await server.stop();
    }
  });
});

describe("`SERVICE_MASTER_KEY_FILE`", () => {
  test("must be set only to mount an existing key; if it points to a missing file, startup fails (fail closed)", async () => {
    const dataDir = join(freshDirectory(), "data");
    const { code, err } = await runServer([], { dataDir, settings: { SERVICE_MASTER_KEY_FILE: absent } });
    expect(code).toBe(1);
    expect(err).toContain(`SERVICE_MASTER_KEY_FILE names ${absent}, which does not exist`);
    expect(existsSync(absent)).toBe(false);
    expect(existsSync(join(dataDir, "master.key"))).toBe(false);
  });

  test("existing master key to use: it is used, and no master.key is made beside the data", async () => {
    const key = join(freshDirectory(), "mounted.key");
    const text = `${"3c".repeat(32)}\n`;
    writeFileSync(key, text, { mode: 0o400 });
    const dataDir = join(freshDirectory(), "data");
    const settings = { SERVICE_MASTER_KEY_FILE: key };
    await (await startServer({ dataDir, settings })).stop();
    expect(existsSync(join(dataDir, "master.key"))).toBe(false);
    expect(readFileSync(key, "utf8")).toBe(text);
    // The state belongs to that key from now on: without it the directory does not open.
    expect((await runServer([], { dataDir })).code).toBe(1);
    expect((await startServer({ dataDir, settings })).isRunning()).toBe(true);
  });
});

describe("secrets are never printed", () => {
  const password = "kestrel-orchard-9417";
  const metricsToken = "m3trics-t0ken-that-is-long-enough-0123456789";
  const lookup = "https://geo.example.com/{ip}?token=l00kup-s3cret";

  test("not by a server that runs, whatever is asked of it", async () => {
    const server = await startServer({
      settings: {
        SERVICE_ADMIN_USERNAME: "admin",
        SERVICE_ADMIN_PASSWORD: password,
        SERVICE_METRICS_TOKEN: metricsToken,
        SERVICE_GEOIP_LOOKUP_URL: lookup,
        SERVICE_ACCESS_LOG: "1",
      },
    });
    const key = readFileSync(join(server.dataDir, "master.key"), "utf8").trim();
    const headers = { Authorization: `Bearer ${metricsToken}`, Cookie: "gatehouse=c00kie-s3cret" };
    const answers = [
      await ask(server.baseUrl, { path: "/api/metrics", headers }),
      await ask(server.baseUrl, { path: "/api/events?token=qu3ry-s3cret", headers }),
      await ask(server.baseUrl, { path: "/api/nothing?token=qu3ry-s3cret", headers }),
      await ask(server.baseUrl, { path: "/api/openapi.json" }),
    ];
    await server.stop();
    const secrets = [password, metricsToken, "l00kup-s3cret", "c00kie-s3cret", "qu3ry-s3cret", key];
    for (const secret of secrets) {
      expect(server.log.text.includes(secret), `the log holds ${secret}`).toBe(false);
      expect(answers.filter(({ text }) => text.includes(secret)).map(({ text }) => text)).toEqual([]);
    }
    for (const entry of readdirSync(server.dataDir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = readFileSync(join(entry.parentPath, entry.name));
      expect(bytes.includes(password), `${entry.name} holds the password`).toBe(false);
    }
  });

  test("not by a start that is refused because of one", async () => {
    for (const [name, value] of [
      ["SERVICE_ADMIN_PASSWORD", "tooshort-pw"],
      ["SERVICE_METRICS_TOKEN", "tooshort-token"],
      ["SERVICE_GEOIP_LOOKUP_URL", "http://geo.example.com/{ip}?token=l00kup-s3cret"],
      // A misspelt password is still a password.
      ["SERVICE_ADMIN_PASSWRD", password],
    ] as const) {
      const { code, err } = await runServer([], { settings: { [name]: value } });
      expect(code, name).toBe(1);
      expect(err, name).toContain(name);
      expect(err, name).not.toContain(value);
      expect(err, name).not.toContain("l00kup-s3cret");
    }
  });
});

describe("--help", () => {
  test("lists every setting with its meaning and what happens without it", async () => {
    const { code, out, err } = await runServer(["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const { name } of refused) expect(out).toContain(`  ${name}\n`);
    expect(settingNames.filter((name) => !name.startsWith("SERVICE_"))).toEqual([]);
    const flat = out.replaceAll(/\s+/g, " ");
    for (const name of settingNames) {
      expect(flat).toContain(` ${name} ${table[name].meaning}`);
      expect(flat).toContain(`Example: ${name}=${table[name].example}`);
    }
    for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  test("it needs no setting and starts nothing", async () => {
    const cwd = freshDirectory();
    const { code } = await runServer(["--help"], { bare: { cwd }, settings: { SERVICE_PUBLIC_URL: "nonsense" } });
    expect(code).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test("`SERVICE_PUBLIC_URL` holds the public HTTPS base URL of the dashboard: its host is answered, another is not", async () => {
  const server = await startServer({ settings: { SERVICE_PUBLIC_URL: "https://gatehouse.example.com" } });
  const statusFor = async (Host: string) => (await ask(server.baseUrl, { path: "/login", headers: { Host } })).status;
  expect(await statusFor("gatehouse.example.com")).toBe(200);
  expect(await statusFor("GATEHOUSE.example.com:443")).toBe(200);
  expect(await statusFor("localhost:8088")).toBe(200);
  expect(await statusFor("example.com")).toBe(421);
  expect(await statusFor("gatehouse.example.com.evil.example")).toBe(421);
});

test("`SERVICE_GEOIP_LOOKUP_URL`: a lookup service is set by default, and `off` is taken", async () => {
  const { out } = await runServer(["--help"]);
  expect(out).toMatch(/SERVICE_GEOIP_LOOKUP_URL\n(?: {6}.*\n)*? {6}Unset: https:\/\/\S+\{ip\}\./);
  const server = await startServer({ settings: { SERVICE_GEOIP_LOOKUP_URL: "off" } });
  expect(server.isRunning()).toBe(true);
});

test("`SERVICE_PLUGIN_DIR`: location of local plugin bundles; the server starts with it empty or filled with what is no bundle", async () => {
  const plugins = freshDirectory();
  mkdirSync(join(plugins, "netguard"));
  writeFileSync(join(plugins, "netguard/manifest.json"), "no manifest");
  const server = await startServer({ settings: { SERVICE_PLUGIN_DIR: plugins } });
  expect((await ask(server.baseUrl, "/api/health")).status).toBe(200);
});

/** How a sign-in is answered: the status, and who one is then. */
async function signInAs(baseUrl: string, who: { readonly username: string; readonly password: string }) {
  const headers = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin" };
  const call = { method: "POST", path: "/api/auth/login", headers, body: JSON.stringify(who) };
  const { status, json } = await ask(baseUrl, call);
  const user = (json["user"] ?? {}) as { username?: string; role?: string };
  return [status, user.username, user.role];
}
