import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { generatePublisherKey, packManifest, signManifest } from "@gatehouse/bundle/sign";
import { serialiseManifest } from "@gatehouse/bundle/verify";
import { percentile } from "../support/percentile.ts";

const artifact = `#!/bin/sh
read -r line
printf '{"jsonrpc":"2.0","id":0,"result":{"status":"ok"}}\\n'
`;
/** A plugin runs 16 actions at once, and all of them together 64. */
const ids = ["bench-a", "bench-b", "bench-c", "bench-d"] as const;
const atOnce = 16;
const account = { username: "bench", password: "a password of a benchmark" };

/** p99 of `/api/health` on the real server, alone and while 64 actions run all the time. */
export async function healthWhileBusy(place: string, seconds: number): Promise<{ alone: number; busy: number }> {
  const { server, base } = await start(place);
  try {
    const cookie = await signIn(base);
    for (const id of ids)
      for (const status of ["installed", "active"]) await post(base, cookie, "lifecycle", { id, status });
    const alone = await sample(base, seconds);
    const end = performance.now() + seconds * 1_000;
    const lanes = ids.flatMap((id) => Array.from({ length: atOnce }, () => ask(base, cookie, id, end)));
    const busy = await sample(base, seconds);
    await Promise.all(lanes);
    return { alone, busy };
  } finally {
    server.kill("SIGTERM");
    await once(server, "close");
  }
}

async function sample(base: string, seconds: number): Promise<number> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; ) {
    const began = performance.now();
    await (await fetch(`${base}/api/health`)).text();
    times.push(performance.now() - began);
  }
  return percentile(times, 0.99);
}

async function ask(base: string, cookie: string, id: string, end: number): Promise<void> {
  while (performance.now() < end) await post(base, cookie, `${id}/actions/health`, {});
}

async function post(base: string, cookie: string, path: string, body: unknown): Promise<void> {
  const headers = { "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin", cookie };
  const answer = await fetch(`${base}/api/plugins/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${text}`);
}

async function signIn(base: string): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${base}/api/auth/login`, { method: "POST", headers, body: JSON.stringify(account) });
  return (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

async function start(place: string): Promise<{ server: ChildProcess; base: string }> {
  const key = generatePublisherKey();
  const sha256 = createHash("sha256").update(artifact).digest("hex");
  for (const id of ids) {
    const fields = { id, name: id, version: "1.0.0", publisher: "bench", runner: "system", capabilities: [] } as const;
    const manifest = signManifest(packManifest(fields, { sha256, size: artifact.length }), key);
    mkdirSync(join(place, "plugins", id), { recursive: true });
    writeFileSync(join(place, "plugins", id, "manifest.json"), serialiseManifest(manifest));
    writeFileSync(join(place, "plugins", id, "artifact"), artifact);
  }
  const trusted = { keys: [{ id: key.keyId, publicKey: key.publicKey }], idPrefixes: ["bench-"], capabilities: [] };
  const env = {
    PATH: process.env["PATH"] ?? "",
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_DATA_DIR: join(place, "data"),
    SERVICE_PLUGIN_DIR: join(place, "plugins"),
    SERVICE_PLUGIN_TRUST: JSON.stringify({ publishers: { bench: trusted } }),
    SERVICE_API_RATE: "1000,2000",
    SERVICE_ADMIN_USERNAME: account.username,
    SERVICE_ADMIN_PASSWORD: account.password,
  };
  const main = resolve(import.meta.dirname, "../../apps/server/src/main.ts");
  const server = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /listening .*port=(\d+)/.exec(line)?.[1];
    if (port !== undefined) return { server, base: `http://127.0.0.1:${port}` };
  }
  throw new Error("the server did not start");
}
