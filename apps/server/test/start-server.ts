import { connect } from "node:net";
import type { Scope } from "@gatehouse/contract";
import { ephemeralSecrets, type Store } from "@gatehouse/store";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { memoryHeads } from "@gatehouse/store/heads";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { onTestFinished } from "vitest";
import { compose, type Parts, type Running } from "../src/compose.ts";
import type { Kept } from "../src/compose-kept.ts";
import { type Config, loadConfig } from "../src/config.ts";
import { openLog } from "../src/platform/log/index.ts";
import type { Principal } from "../src/platform/route/index.ts";
import type { SiteFile, SiteMap } from "../src/platform/site-map/index.ts";
import { farStore } from "./far-store.ts";
import { type RawAnswer, readAnswers } from "./raw-answer.ts";

export interface TestServer extends Running {
  readonly url: string;
  readonly logLines: string[];
  /** Sends bytes as they are over one connection, and gives the answers once there are so many or the server closed it. */
  raw(bytes: string | Uint8Array, answers?: number): Promise<RawAnswer[]>;
  get(path: string, init?: RequestInit): Promise<Response>;
}

export interface StartOptions {
  readonly config?: Partial<Config>;
  readonly parts?: Partial<Parts>;
  readonly maxConnections?: number;
}

const secrets = ephemeralSecrets();

/** A store of a test and what belongs to it. One key for all: a store that outlives its server is opened again. */
export function keptWith(store: Store): Kept {
  return { store, secrets, telemetry: memoryTelemetry(), blobs: memoryBlobs(), heads: memoryHeads() };
}

/** Starts the whole server with a far store on a free port, and stops it when the test is over. */
export async function startServer({
  config = {},
  parts = {},
  maxConnections = 10_000,
}: StartOptions = {}): Promise<TestServer> {
  const logLines: string[] = [];
  const running = await compose({
    config: {
      ...loadConfig({}),
      apiRate: { perSecond: 10_000, burst: 10_000 },
      listen: { host: "127.0.0.1", port: 0 },
      // The default is relative: it would be whatever lies beside the tests.
      pluginDir: "/nowhere/plugins",
      // No test asks anybody outside.
      geoipLookupUrl: "off",
      ...config,
    },
    log: openLog({ format: "text", write: (line) => logLines.push(line) }),
    onFatal: (error) => {
      throw error;
    },
    maxConnections,
    // Nobody, unless a test says otherwise: identity has its own tests, and hashing passwords takes time.
    parts: {
      kept: keptWith(farStore()),
      site: testSite,
      build: testBuild,
      authenticate: () => undefined,
      ...parts,
    },
  });
  let stopped: Promise<void> | undefined;
  const stop = (deadlineMs: number) => {
    stopped ??= running.stop(deadlineMs);
    return stopped;
  };
  onTestFinished(() => stop(100));
  const url = `http://127.0.0.1:${running.port}`;
  return {
    ...running,
    url,
    logLines,
    stop,
    get: (path, init) => fetch(`${url}${path}`, init),
    raw: (bytes, answers = 1) => sendRaw(running.port, bytes, answers),
  };
}

function sendRaw(port: number, bytes: string | Uint8Array, wanted: number): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const isHead = bytes.toString().startsWith("HEAD ");
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const finish = () => {
      socket.destroy();
      try {
        resolve(readAnswers(received, isHead));
      } catch (error) {
        reject(error);
      }
    };
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      if (readAnswers(received, isHead).length >= wanted) finish();
    });
    socket.on("close", finish);
    socket.on("error", finish);
  });
}

export const testBuild = {
  version: "0.1.0",
  commit: "unknown",
  builtAt: "unknown",
  channel: "dev",
  node: "26.10.0",
  api: "0.1",
} as const;

function file(text: string, type: string, etag: string, compressed = true): SiteFile {
  const body = Buffer.from(text);
  if (!compressed) return { body, type, etag };
  return { body, brotli: Buffer.from(`br:${text}`), gzip: Buffer.from(`gzip:${text}`), type, etag };
}

export const testSite: SiteMap = {
  shell: file("<!doctype html><title>Gatehouse é</title>", "text/html; charset=utf-8", 'W/"shell"'),
  themeInit: file("document.documentElement", "text/javascript; charset=utf-8", 'W/"theme"'),
  assets: new Map([
    ["app.1a2b.js", file("export {}", "text/javascript; charset=utf-8", 'W/"app"')],
    ["font.3c4d.woff2", file("f".repeat(40_000), "font/woff2", 'W/"font"', false)],
  ]),
};

/** A small identity: each token is a user with the given scopes. */
export function testIdentity(users: Readonly<Record<string, readonly Scope[]>>) {
  const watchers = new Map<string, Set<() => void>>();
  const revoked = new Set<string>();
  const principals = new Map(
    Object.entries(users).map(([token, scopes]): [string, Principal] => [
      token,
      { id: `usr_${token}`, credential: { kind: "token", id: token }, scopes: new Set(scopes), authenticatedAt: 0 },
    ]),
  );
  const parts: Pick<Parts, "authenticate" | "watchPrincipal"> = {
    authenticate: ({ credential }) => {
      const token = credential.kind === "bearer" ? credential.token : "";
      const principal = revoked.has(token) ? undefined : principals.get(token);
      return Promise.resolve(principal && { principal });
    },
    watchPrincipal: ({ credential }, onRevoked) => {
      const own = watchers.get(credential.id) ?? new Set();
      watchers.set(credential.id, own.add(onRevoked));
      return () => void own.delete(onRevoked);
    },
  };
  return {
    parts,
    watchers: (token: string) => watchers.get(token)?.size ?? 0,
    revoke: (token: string) => {
      revoked.add(token);
      for (const onRevoked of watchers.get(token) ?? []) onRevoked();
    },
  };
}

export function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}
