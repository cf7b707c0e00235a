import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { expect, onTestFinished, test } from "vitest";
import { contractRows } from "../../../tests/support/contract-rows.ts";
import { compose } from "../src/compose.ts";
import { type Config, loadConfig } from "../src/config.ts";
import { openLog } from "../src/platform/log/index.ts";
import { ownerPassword, Visitor } from "./visitor.ts";
import { testBuild, testSite } from "./start-server.ts";

const admin = { adminUsername: "admin", adminPassword: ownerPassword };

function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-identity-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "data");
}

/** The server as main.ts builds it, with the file store, and everything that it logged. */
async function start(dataDir: string, config: Partial<Config>) {
  const lines: string[] = [];
  const running = await compose({
    config: {
      ...loadConfig({}),
      listen: { host: "127.0.0.1", port: 0 },
      pluginDir: `${dataDir}-plugins`,
      dataDir,
      ...config,
    },
    log: openLog({ format: "text", write: (line) => lines.push(line) }),
    onFatal: (error) => {
      throw error;
    },
    maxConnections: 100,
    parts: { site: testSite, build: testBuild },
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= running.stop(100);
    return stopped;
  };
  onTestFinished(stop);
  const secrets = new Set<string>();
  return { lines, stop, secrets, visitor: () => new Visitor(`http://127.0.0.1:${running.port}`, secrets) };
}

test("the first start makes the owner, and no later start changes anything about users", async () => {
  const dataDir = dataDirectory();
  const first = await start(dataDir, admin);
  const visitor = await first.visitor().signIn();
  await first.stop();

  const second = await start(dataDir, { adminUsername: "somebody", adminPassword: "another long phrase" });
  const again = second.visitor();
  again.cookie = visitor.cookie;
  expect((await again.call("GET", "/api/auth/whoami")).status, "a session outlives a restart").toBe(200);
  await second.visitor().signIn();
  const body = { username: "somebody", password: "another long phrase" };
  expect((await second.visitor().call("POST", "/api/auth/login", { body })).code).toBe("auth.sign_in_refused");
  await second.stop();

  const third = await start(dataDir, {});
  await third.visitor().signIn();
});

test("without any user and without the variables the server does not start", async () => {
  const refused = await start(dataDirectory(), {}).then(
    () => "started",
    (error: unknown) => (isFault(error) ? error.code : "a defect"),
  );
  expect(refused).toBe("auth.first_admin_missing");
});

test("the description names every row of the contract, with references that lead somewhere", async () => {
  const server = await start(dataDirectory(), admin);
  const answer = await server.visitor().call<{ paths: Record<string, object> }>("GET", "/api/openapi.json");
  for (const { method, path } of contractRows) {
    const described = answer.body.paths[path.replaceAll(/:([a-zA-Z]+)/g, "{$1}")];
    expect(described, path).toHaveProperty(method.toLowerCase());
  }
  const text = JSON.stringify(answer.body);
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(answer.body).toHaveProperty(["components", "schemas", name ?? ""]);
  }
});

test("no password, session value or token stands in any file or line of the log", async () => {
  const dataDir = dataDirectory();
  const server = await start(dataDir, admin);
  const owner = await server.visitor().signIn();
  const { body } = await owner.call<{ token: string }>("POST", "/api/tokens", {
    body: { name: "deploy", scopes: ["plan:read"] },
  });
  const typed = "Typed into the wrong field";
  await server.visitor().call("POST", "/api/auth/login", { body: { username: typed, password: "wrong otters" } });
  await owner.call("POST", "/api/auth/step-up", { body: { password: ownerPassword } });
  const newPassword = "eight lazy otters";
  await owner.call("POST", "/api/auth/password", { body: { currentPassword: ownerPassword, newPassword } });
  await server.stop();
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(existsSync(join(dataDir, "state.json"))).toBe(true);
  const kept = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1")).join("\n");
  expect(kept).toContain("auth.signed_in");
  const secrets = [
    ...server.secrets,
    ownerPassword,
    newPassword,
    body.token,
    body.token.slice(21),
    typed,
    "wrong otters",
  ];
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of secrets) {
    expect(kept.includes(secret), "in a file").toBe(false);
    expect(server.lines.join("").includes(secret), "in the log").toBe(false);
  }
});
