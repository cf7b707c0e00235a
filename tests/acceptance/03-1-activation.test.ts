import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import { stopMs } from "../support/stopped.ts";
import { type Described, type Operator, PluginYard } from "./plugin-yard.ts";
import { findProcesses } from "./processes.ts";
import { isExternal, type Settings } from "./server-under-test.ts";

/** Contract 3.1, `active`: what the activation of a trusted system plugin does, sentence by sentence, with plugins that try. */
let yard: PluginYard;

beforeEach(() => {
  yard = new PluginYard();
});

/** A plugin in a few lines of shell: `body` runs when the request has been read into `line`, with the action in `$1`. */
const shell = (body: string) => `#!/bin/sh
read -r line
answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\\n' "$1"; }
call() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\\n' "$1" "$2" "$3"; read -r got; }
${body}
`;

/** Below the data directory, which the tests may look into with either driver. */
const runtimeDir = () => join(yard.dataDir, "runtime");

async function start(...plugins: readonly Described[]): Promise<Operator> {
  for (const plugin of plugins) yard.bundle(plugin);
  return yard.start({ SERVICE_RUNTIME_DIR: runtimeDir() });
}

async function activate(operator: Operator, id = "acme-hello"): Promise<void> {
  for (const state of ["installed", "active"]) {
    const { status, text } = await operator.move(id, state);
    if (status !== 200) throw new Error(`the move to ${state} was answered ${status}: ${text}`);
  }
}

async function started(body: string, more: Described = {}): Promise<Operator> {
  return startedWith({}, body, more);
}

async function startedWith(settings: Settings, body: string, more: Described = {}): Promise<Operator> {
  yard.bundle({ ...more, artifact: shell(body) });
  const operator = await yard.start({ SERVICE_RUNTIME_DIR: runtimeDir(), ...settings });
  await activate(operator);
  return operator;
}

/** What the plugin wrote to standard error before it failed. */
async function complaint(operator: Operator, input: unknown): Promise<string> {
  expect((await operator.ask("acme-hello", "plan", input)).status).toBe(422);
  const { runtime } = (await operator.find("acme-hello")) as unknown as {
    runtime: { lastErrors: { stderr: string }[] };
  };
  return runtime.lastErrors[0]?.stderr ?? "";
}

describe.skipIf(isExternal)("for a trusted system plugin, activation", () => {
  test("re-verifies the manifest-pinned artifact digest", async () => {
    const operator = await start({});
    await operator.move("acme-hello", "installed");
    const artifact = join(yard.directory, "acme-hello/artifact");
    const signed = readFileSync(artifact);
    writeFileSync(artifact, signed.toString().replace("Says hello.", "Says hullo."));
    const refused = await operator.move("acme-hello", "active");
    expect([refused.status, refused.json["code"], refused.json["detail"]]).toEqual([
      422,
      "plugin.activation_failed",
      expect.stringMatching(/^artifact digest mismatch/),
    ]);
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "disabled",
      runtime: { state: "failed", message: expect.stringMatching(/^artifact digest mismatch/) },
    });
    expect(findCopies()).toEqual([]);
    writeFileSync(artifact, signed);
    expect((await operator.move("acme-hello", "active")).status).toBe(200);
    expect((await operator.ask("acme-hello", "describe")).json["result"]).toMatchObject({ summary: "Says hello." });
  });

  test("stages a copy with permission mode 0700 in a private runtime directory", async () => {
    const operator = await start({});
    await operator.move("acme-hello", "installed");
    expect(findCopies()).toEqual([]);
    await operator.move("acme-hello", "active");
    const [copy = "", ...more] = findCopies();
    expect(more).toEqual([]);
    const inside = copy.slice(yard.dataDir.length + 1).split("/");
    const modes = inside.map((_, at) => lstatSync(join(yard.dataDir, ...inside.slice(0, at + 1))).mode & 0o7777);
    expect(modes).toEqual(inside.map(() => 0o700));
    const { artifactSha256 } = await operator.find("acme-hello");
    expect(createHash("sha256").update(readFileSync(copy)).digest("hex")).toBe(artifactSha256);
    // What runs is the copy: the bundle itself may be gone.
    yard.remove("acme-hello");
    expect((await operator.ask("acme-hello", "health")).json["result"]).toEqual({ status: "ok" });
    await operator.move("acme-hello", "disabled");
    expect(findCopies()).toEqual([]);
  });

  test("runs each action as a fresh subprocess", async () => {
    // A word that no other process of this machine has; each action waits under it.
    const mark = `6${process.pid}.${Date.now() % 100_000}`;
    const operator = await started(`kept=$kept.\n[ "$kept" = . ] || exit 9\nsleep ${mark}`);
    const asked = [operator.ask("acme-hello", "health"), operator.ask("acme-hello", "health")];
    const early = Promise.race(asked).then(({ text }) => expect.unreachable(`one was answered at once: ${text}`));
    const first = await Promise.race([waitForProcesses(2, mark), early]);
    const third = operator.ask("acme-hello", "describe");
    const all = await waitForProcesses(3, mark);
    // Each waits for a process of its own, and none was started by another.
    expect(new Set(all.map(({ parent }) => parent)).size).toBe(3);
    expect(first.every(({ pid }) => all.some((one) => one.pid === pid))).toBe(true);
    expect((await operator.move("acme-hello", "disabled")).status).toBe(200);
    for (const { status } of await Promise.all([...asked, third])) expect(status).toBe(422);
    expect(findProcesses(["sleep", mark])).toEqual([]);
  });

  test("with a deadline, at which also what it left in the background ends", async () => {
    const mark = `7${process.pid}.${Date.now() % 100_000}`;
    const operator = await startedWith(
      { SERVICE_PLUGIN_DEADLINE_FACTOR: "1" },
      `trap '' TERM HUP INT\nsleep ${mark} &\nsleep ${mark} &\nwait`,
    );
    const began = performance.now();
    const { status, json } = await operator.ask("acme-hello", "health");
    const ms = performance.now() - began;
    // By the deadline and by nothing else: all that it started would have slept for days.
    expect([status, json["detail"]]).toEqual([422, "it did not end within 10000 ms"]);
    expect(ms).toBeGreaterThanOrEqual(10_000);
    expect(findProcesses(["sleep", mark])).toEqual([]);
  });

  test("without a shell: the action is one literal word, and a file that only a shell would run is refused", async () => {
    const operator = await start(
      { artifact: shell(`answer "{\\"status\\":\\"ok\\",\\"message\\":\\"$# $1\\"}"`) },
      { id: "acme-text", artifact: "echo hello\n" },
      { id: "acme-search", artifact: "#!sh\necho hello\n" },
    );
    await activate(operator);
    expect((await operator.ask("acme-hello", "health")).json["result"]).toEqual({ status: "ok", message: "1 health" });
    for (const action of ["health;id", "$(id)", "--help", "@health", "health%20plan", "apply"]) {
      expect([400, 404]).toContain((await operator.ask("acme-hello", encodeURIComponent(action))).status);
    }
    for (const id of ["acme-text", "acme-search"]) {
      await operator.move(id, "installed");
      const refused = await operator.move(id, "active");
      expect([refused.status, refused.json["code"]]).toEqual([422, "plugin.activation_failed"]);
      expect(refused.json["detail"]).toMatch(/script|interpreter/);
    }
  });

  test("clears the environment except a fixed safe PATH and an explicit allowlist", async () => {
    const operator = await started("env >&2; exit 3");
    const lines = (await complaint(operator, null)).trim().split("\n").sort();
    // PWD is the shell's own doing; HOME is a place that does not exist.
    expect(lines).toEqual(["HOME=/nonexistent", "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin", "PWD=/"]);
  });

  test("caps output size and the number of broker calls", async () => {
    const operator = await started(
      `case "$line" in
  *output*) yes '' | head -c 20000000 | tr '\\n' a; echo ;;
  *errors*) yes | head -c 70000 >&2 ;;
  *calls*) n=1; most=\${line##*calls }; most=\${most%%'"'*}
    while [ "$n" -le "$most" ]; do call "$n" log.write '{"level":"info","message":"hello"}'; n=$((n + 1)); done ;;
esac
exit 3`,
    );
    const reason = async (input: string) => (await operator.ask("acme-hello", "plan", input)).json["detail"];
    expect(await reason("output")).toBe("it wrote more than 16777216 bytes");
    expect(await reason("errors")).toBe("it wrote more than 65536 bytes to standard error");
    expect(await reason("calls 64")).toBe("it ended with 3");
    expect(await reason("calls 65")).toBe("it made more than 64 broker calls");
  });

  test("opens a circuit breaker after repeated failures", async () => {
    const operator = await started("exit 3");
    for (let time = 0; time < 5; time += 1) expect((await operator.ask("acme-hello", "health")).status).toBe(422);
    const refused = await operator.ask("acme-hello", "health");
    expect([refused.status, refused.json["code"]]).toEqual([429, "plugin.breaker_open"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(30);
    expect(await operator.find("acme-hello")).toMatchObject({
      status: "active",
      runtime: { breaker: "open", failuresInARow: 5, actions: 5 },
    });
  });

  test("gives the plugin only a capability-scoped broker, never raw server internals", async () => {
    const paths = ["master.key", "state.json", "state.json.audit-wal", "logs.db"].map((name) =>
      join(yard.dataDir, name),
    );
    const operator = await started(
      `call 1 kv.put '{"key":"a","value":"b"}'; echo "$got" >&2
call 2 kv.get '{"key":"a"}'; echo "$got" >&2
call 3 http.fetch '{"url":"http://127.0.0.1/"}'; echo "$got" >&2
call 4 store.get '{"key":"user"}'; echo "$got" >&2
call 5 plugin.move '{"id":"acme-hello","status":"disabled"}'; echo "$got" >&2
for path in ${paths.join(" ")} /etc/shadow; do
  if read -r secret < "$path"; then echo "read $path" >&2; else echo "kept" >&2; fi
done
exit 3`,
      { capabilities: ["kv:write"] },
    );
    const said = (await complaint(operator, null)).split("\n");
    const codes = said.flatMap((line) => (line.startsWith("{") ? [codeOf(line)] : []));
    expect(codes).toEqual([
      "done",
      "broker.capability_missing",
      "broker.capability_missing",
      "broker.unknown_method",
      "broker.unknown_method",
    ]);
    expect(said.filter((line) => line === "kept")).toHaveLength(5);
    expect(said.filter((line) => line.startsWith("read "))).toEqual([]);
    expect(await operator.find("acme-hello")).toMatchObject({ status: "active" });
  });

  test("Fallback runners do not silently gain system execution; worker and wasm execution are separate decisions", async () => {
    const operator = await start({}, { id: "acme-worker", runner: "worker" }, { id: "acme-wasm", runner: "wasm" });
    // Refused before there is a record that could be moved: neither is run by the runner that there is.
    expect((await operator.list()).rejections.map(({ name, code }) => [name, code])).toEqual([
      ["acme-wasm", "bundle.runner_not_enabled"],
      ["acme-worker", "bundle.runner_not_enabled"],
    ]);
    for (const id of ["acme-worker", "acme-wasm"]) {
      expect((await operator.move(id, "installed")).status).toBe(404);
      expect((await operator.ask(id, "health")).json["code"]).toBe("plugin.unknown");
    }
    expect(findCopies()).toEqual([]);
  });
});

/** Staged copies below the runtime directory. */
function findCopies(): string[] {
  return readdirSync(runtimeDir(), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("/artifact"))
    .map((path) => join(runtimeDir(), path));
}

async function waitForProcesses(count: number, mark: string) {
  for (const end = Date.now() + stopMs; ; await delay(20)) {
    const found = findProcesses(["sleep", mark]);
    if (found.length >= count) return found;
    if (Date.now() > end)
      throw new Error(`stopped: of ${count} processes that sleep ${mark} there are ${found.length}`);
  }
}

function codeOf(line: string): string {
  const { error } = JSON.parse(line) as { error?: { data: { code: string } } };
  return error?.data.code ?? "done";
}
