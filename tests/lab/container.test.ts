import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stopMs } from "../support/stopped.ts";
import { sectionOf, walkOf } from "../support/walk/walk-of.ts";
import { Compose } from "./compose.ts";
import { image, repository } from "./image.ts";
import { docker, sh } from "./lab.ts";
import { readQuickstart } from "./quickstart.ts";

let base = "";
const password = "correct horse battery staple";
const clone = mkdtempSync(join(tmpdir(), "gatehouse-quickstart-"));
const directory = join(clone, "deploy", "compose");
const compose = new Compose(directory);
const page = readFileSync(join(repository, "docs/operate/install.md"), "utf8");
/** What the page says about the command line in the image: signing in, and a last line for a server that is stopped. */
const commandLine = walkOf(sectionOf(page, "## As a container")).steps.map(({ command }) => command);
const published = '"127.0.0.1:8088:8088"';

beforeAll(() => {
  mkdirSync(directory, { recursive: true });
  copyFileSync(join(repository, "deploy/compose/.env.example"), join(directory, ".env.example"));
  const text = readFileSync(join(repository, "deploy/compose/compose.yaml"), "utf8");
  // The engine finds a free port: the page's own may be in use on this machine.
  expect(text).toContain(published);
  writeFileSync(join(directory, "compose.yaml"), text.replace(published, '"127.0.0.1::8088"'));
});
afterAll(async () => {
  await compose.run("down").catch(() => undefined);
  rmSync(clone, { recursive: true, force: true });
});

async function signIn(word: string, username = "admin"): Promise<Response> {
  return fetch(`${base}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password: word }),
  });
}

function whoAmI(cookie: string): Promise<Response> {
  return fetch(`${base}/api/auth/whoami`, { headers: { cookie } });
}

/** What an operator has got from a publisher: a bundle, and the policy that trusts its key. */
async function makeBundle(place: string): Promise<void> {
  const description = { id: "acme-hello", name: "Hello", version: "1.0.0", publisher: "acme", runner: "system" };
  writeFileSync(join(clone, "plugin.json"), JSON.stringify({ ...description, capabilities: [] }));
  writeFileSync(join(clone, "hello.sh"), "#!/bin/sh\n");
  const main = join(repository, "apps/cli/src/main.ts");
  const gatehouse = (line: string) => sh(process.execPath, [main, ...line.split(" ")], { cwd: clone });
  const key = `${clone}/acme.key`;
  const { stdout } = await gatehouse(`plugin keygen --out ${key} --publisher acme --no-passphrase`);
  writeFileSync(join(place, "policy/plugin-trust.json"), stdout);
  await gatehouse(`plugin pack plugin.json hello.sh --out ${place}`);
  await gatehouse(`plugin sign ${place}/acme-hello --key ${key}`);
}

function setVariable(name: string, value: string): void {
  const path = join(directory, ".env");
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => !line.startsWith(`${name}=`));
  writeFileSync(path, [...lines, `${name}=${value}`].join("\n"));
}

describe("contract 10, on the real container", () => {
  let cookie = "";

  test("the quickstart of the README, step by step, with a root-created data directory", async () => {
    await compose.shell(readQuickstart(readFileSync(join(repository, "README.md"), "utf8")));
    for (const name of ["plugins", "policy"]) expect(statSync(join(directory, name)).isDirectory()).toBe(true);
    expect(statSync(join(directory, ".env")).mode & 0o777).toBe(0o600);
    base = await compose.ready();
    expect(await (await fetch(`${base}/api/health`)).text()).toBe('{"status":"ok"}');
    const version = (await (await fetch(`${base}/api/version`)).json()) as { version: string };
    expect(`gatehouse:${version.version}`).toBe(image);
    expect((await compose.run("ps")).stdout).toContain("gatehouse");
  });

  test("the entrypoint fixes ownership of the mounted data directory, and the four files are the server's alone", () => {
    for (const name of ["state.json", "state.json.audit-wal", "logs.db", "master.key"]) {
      const found = statSync(join(directory, "data", name));
      expect([name, found.uid, found.mode & 0o777]).toEqual([name, 10001, 0o600]);
    }
    expect(statSync(join(directory, "data")).mode & 0o777).toBe(0o700);
  });

  test("PID 1 is an init that is not root and holds no capability and cannot gain one", async () => {
    const status = await compose.inside("cat", "/proc/1/status");
    expect(status).toMatch(/^Name:\s+tini$/m);
    expect(status).toMatch(/^Uid:\s+10001\s+10001\s+10001\s+10001$/m);
    for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) {
      expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, "m"));
    }
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
  });

  test("the root file system is read-only, and no file in the image raises anybody's rights", async () => {
    expect(await compose.inside("sh", "-c", "touch /app/x /etc/x 2>&1; true")).toMatch(/Read-only file system/);
    expect(await compose.inside("sh", "-c", "find / -xdev -type f -perm /6000 2>/dev/null | wc -l")).toBe("0\n");
    expect(await compose.inside("sh", "-c", "test -w /plugins && echo writable || echo read-only")).toBe("read-only\n");
  });

  test("the image has no package manager and no perl, and lists every module that is in it", async () => {
    const programs = "for name in apt apt-get perl python3 npm npx; do command -v $name; done; true";
    expect(await compose.inside("sh", "-c", programs)).toBe("");
    const { components } = JSON.parse(await compose.inside("cat", "/app/dist/sbom.cdx.json")) as {
      components: { "bom-ref": string }[];
    };
    const listed = new Set(components.map((component) => component["bom-ref"]));
    const names = "cd /app && ls -d node_modules/*/package.json node_modules/@*/*/package.json";
    const installed = (await compose.inside("sh", "-c", names)).trim().split("\n");
    const missing = installed.map((path) => path.replace(/\/package\.json$/, "")).filter((path) => !listed.has(path));
    expect(missing.filter((path) => !path.startsWith("node_modules/@gatehouse/"))).toEqual([]);
    expect(installed.length).toBeGreaterThan(10);
  });

  test("memory, processes and the log have a limit", async () => {
    const name = await compose.container();
    const { stdout } = await docker("inspect", "--format={{json .HostConfig}}", name);
    expect(JSON.parse(stdout)).toMatchObject({
      Memory: 1536 * 1024 * 1024,
      PidsLimit: 512,
      LogConfig: { Type: "json-file", Config: { "max-size": "10m", "max-file": "5" } },
    });
  });

  test("the administrator of the first boot signs in", async () => {
    setVariable("SERVICE_ADMIN_PASSWORD", password);
    await compose.run("down");
    rmSync(join(directory, "data"), { recursive: true });
    mkdirSync(join(directory, "data"));
    await compose.run("up", "-d");
    base = await compose.ready();
    const answer = await signIn(password);
    expect(answer.status).toBe(200);
    cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect((await whoAmI(cookie)).status).toBe(200);
  });

  test("the command line signs in inside the container as the page says, and keeps its session where nobody else reads it", async () => {
    const answers = [{ question: "Password of admin at ", answer: password }];
    for (const line of commandLine.slice(0, -1)) {
      const { code, shown } = await compose.type(line, answers);
      expect(code, `${line}\n${shown}`).toBe(0);
      expect(shown).toContain("admin (owner) at ");
    }
    const places = ["/run/operator/gatehouse", "/run/operator/gatehouse/session.json"];
    expect(await compose.inside("stat", "--format=%a %u", ...places)).toBe("700 0\n600 0\n");
    expect(await compose.inside("ls", "/data")).not.toContain("session");
  });

  test("what the dashboard shows for a first plugin works as it is shown, once .env names the trust policy", async () => {
    const source = readFileSync(join(repository, "apps/dashboard/src/pages/PluginsPage/NoPlugins.tsx"), "utf8");
    const [, shown = ""] = /const commands = `([^`]+)`/.exec(source) ?? [];
    expect(shown).toContain("plugin verify");
    await makeBundle(directory);
    setVariable("SERVICE_PLUGIN_TRUST", "/etc/gatehouse/plugin-trust.json");
    await compose.run("up", "-d");
    await compose.ready();
    const { stdout } = await compose.shell(shown);
    expect(stdout).toContain("/plugins/acme-hello is accepted: acme-hello 1.0.0 by acme.");
    base = await compose.ready();
    const answer = await fetch(`${base}/api/plugins/lifecycle`, { headers: { cookie } });
    expect(await answer.json()).toMatchObject({ items: [{ id: "acme-hello", status: "verified" }], rejections: [] });
  });

  test("once it is stopped, the command line in the image verifies what it kept", async () => {
    const { code, shown } = await compose.type(commandLine.at(-1) ?? "");
    expect(code, shown).toBe(0);
    await compose.run("up", "-d");
    base = await compose.ready();
  });

  test("a restart keeps users and sessions", async () => {
    await compose.run("restart");
    base = await compose.ready();
    expect((await whoAmI(cookie)).status).toBe(200);
  });

  test("once any user exists, changing those variables changes neither the account name nor its password", async () => {
    setVariable("SERVICE_ADMIN_USERNAME", "somebody");
    setVariable("SERVICE_ADMIN_PASSWORD", "another password entirely");
    await compose.run("up", "-d");
    base = await compose.ready();
    expect((await signIn("another password entirely", "somebody")).status).toBe(401);
    expect((await signIn(password)).status).toBe(200);
  });

  test("orphans are reaped: no zombie is left of a thousand children", async () => {
    await compose.inside("sh", "-c", "i=0; while [ $i -lt 1000 ]; do (true &); i=$((i+1)); done");
    const zombies = "cat /proc/[0-9]*/status 2>/dev/null | grep -c '^State:.*zombie' || true";
    await compose.prints("0\n", "sh", "-c", zombies);
  });

  test("SIGTERM ends the server in an orderly way, before anybody kills it", async () => {
    const name = await compose.container();
    const started = performance.now();
    await docker("stop", `--time=${stopMs / 1_000}`, name);
    const ms = performance.now() - started;
    const { stdout } = await docker("inspect", "--format={{.State.ExitCode}}", name);
    console.log(`container: SIGTERM to exit in ${Math.round(ms)} ms`);
    expect(stdout.trim()).toBe("0");
    expect(readFileSync(join(directory, "data/state.json"), "utf8")).toContain('"user/');
  });

  test("SERVICE_MASTER_KEY_FILE that names a missing file fails the start", async () => {
    setVariable("SERVICE_MASTER_KEY_FILE", "/run/secrets/absent.key");
    await compose.run("up", "-d");
    await compose.said(/SERVICE_MASTER_KEY_FILE names \/run\/secrets\/absent\.key, which does not exist/);
    await compose.run("down");
  });

  test("a data directory that is a link is refused, and what it points to keeps its owner", async () => {
    const victim = join(clone, "victim");
    writeFileSync(victim, "not yours");
    chmodSync(victim, 0o600);
    const data = join(clone, "linked");
    mkdirSync(data);
    await docker(
      "run",
      "--rm",
      `--volume=${clone}:/host`,
      "--entrypoint=ln",
      image,
      "-s",
      "/host/victim",
      "/host/linked/logs.db",
    );
    await docker("run", "--rm", `--volume=${data}:/data`, `--volume=${clone}:/host`, image, "true");
    expect(statSync(victim).uid).toBe(0);
    expect(existsSync(join(data, "logs.db"))).toBe(false);
    expect(readdirSync(data)).toEqual(["logs.db"]);
  });

  test("the image names its size", async () => {
    const { stdout } = await docker("image", "inspect", "--format={{.Size}}", image);
    console.log(`container: image ${image} is ${Math.round(Number(stdout) / 1e6)} MB`);
    expect(Number(stdout)).toBeLessThan(450e6);
  });
});
