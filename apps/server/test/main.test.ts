import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";

const main = join(import.meta.dirname, "../src/main.ts");
const site = join(import.meta.dirname, "../../../dist/site/map.json");

function run(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: childEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    output.out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output.err += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, ...output }));
  });
  return { child, ended };
}

function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-main-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Waits for the line that says where the server listens. */
function listening(child: ChildProcessByStdio<null, Readable, Readable>): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [, port] = /listening .*port=(\d+)/.exec(text) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
    child.on("close", () => reject(new Error(`ended before it listened: ${text}`)));
  });
}

describe("gatehouse-server", () => {
  test("--help prints every setting, --version the version, anything else is refused in one line", async () => {
    const help = await run(["--help"], {}).ended;
    expect([help.code, help.err]).toEqual([0, ""]);
    expect(help.out).toContain("SERVICE_TRUST_PROXY");
    const version = await run(["--version"], {}).ended;
    expect(version.out).toMatch(/^\d+\.\d+\.\d+(-(alpha|beta)\.\d+)?\n$/);
    const odd = await run(["--port", "80"], {}).ended;
    expect([odd.code, odd.out]).toEqual([1, ""]);
    expect(odd.err).toMatch(/^gatehouse-server: .*--help.*\n$/);
  });

  test("a bad setting stops the start with one line that says what to write, and touches nothing", async () => {
    const directory = join(dataDirectory(), "data");
    const { code, out, err } = await run([], { SERVICE_SLOW_REQUEST_MS: "soon", SERVICE_DATA_DIR: directory }).ended;
    expect([code, out]).toEqual([1, ""]);
    expect(err.split("\n")).toHaveLength(2);
    expect(err).toContain("SERVICE_SLOW_REQUEST_MS");
    expect(err).not.toContain("    at ");
    expect(existsSync(directory)).toBe(false);
  });
});

describe.skipIf(!existsSync(site))("the running server", () => {
  const settings = (directory: string) => ({
    SERVICE_DATA_DIR: directory,
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_ADMIN_USERNAME: "admin",
    SERVICE_ADMIN_PASSWORD: "seven lazy otters",
  });

  test("serves, and ends with 0 on SIGTERM", async () => {
    const { child, ended } = run([], settings(dataDirectory()));
    const port = await listening(child);
    expect(await (await fetch(`http://127.0.0.1:${port}/api/health`)).text()).toBe('{"status":"ok"}');
    child.kill("SIGTERM");
    const { code, out, err } = await ended;
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("stopped");
  });

  test("ends at once on a second signal", async () => {
    const { child, ended } = run([], settings(dataDirectory()));
    const port = await listening(child);
    const controller = new AbortController();
    // A request that never ends its body keeps the first stop waiting.
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode("{")) });
    const init = {
      method: "POST",
      body,
      duplex: "half",
      signal: controller.signal,
      headers: { "Content-Type": "application/json" },
    };
    fetch(`http://127.0.0.1:${port}/api/csp-reports`, init as RequestInit).catch(() => undefined);
    await fetch(`http://127.0.0.1:${port}/api/health`);
    child.kill("SIGINT");
    // Its own line: others, as that of the check of the audit log, may come before it.
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (text: Buffer) => {
        if (text.includes("stopping")) resolve();
      });
    });
    child.kill("SIGINT");
    expect((await ended).code).toBe(1);
    controller.abort();
  });

  test("refuses a data directory that another server uses, in one line", async () => {
    const directory = dataDirectory();
    const first = run([], settings(directory));
    await listening(first.child);
    const { code, err } = await run([], settings(directory)).ended;
    expect(code).toBe(1);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(err).toContain("Stop the other process first");
  });

  test("refuses an address that is taken, in one line", async () => {
    const first = run([], settings(dataDirectory()));
    const port = await listening(first.child);
    const { code, err } = await run([], { ...settings(dataDirectory()), SERVICE_LISTEN: `127.0.0.1:${port}` }).ended;
    expect(code).toBe(1);
    expect(err).toContain(`SERVICE_LISTEN: cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
  });

  test.each([
    ["missing", { SERVICE_PLUGIN_TRUST: "/nowhere/trust.json" }, "/nowhere/trust.json"],
    ["invalid", { SERVICE_PLUGIN_TRUST: '{"publishers":{"gatehouse":{"keys":[]}}}' }, "/publishers/gatehouse"],
  ])("refuses a trust policy that is %s, in one line and before it touches the data", async (_what, more, names) => {
    const directory = join(dataDirectory(), "data");
    const { code, out, err } = await run([], { ...settings(directory), ...more }).ended;
    expect([code, out, err.trimEnd().split("\n").length]).toEqual([1, "", 1]);
    expect(err).toContain("SERVICE_PLUGIN_TRUST");
    expect(err).toContain(names);
    expect(existsSync(directory)).toBe(false);
  });

  test("refuses a master key file that is missing (contract 5.7)", async () => {
    const { code, err } = await run([], {
      ...settings(dataDirectory()),
      SERVICE_MASTER_KEY_FILE: "/nowhere/master.key",
    }).ended;
    expect([code, err.trimEnd().split("\n").length]).toEqual([1, 1]);
    expect(err).not.toContain("    at ");
  });
});
