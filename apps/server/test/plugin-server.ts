import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "@gatehouse/base";
import { generatePublisherKey, type ManifestFields, packManifest, signManifest } from "@gatehouse/bundle/sign";
import { serialiseManifest } from "@gatehouse/bundle/verify";
import { scopeNames } from "@gatehouse/contract";
import {
  type ActionReport,
  type ActiveContribution,
  type BundleRejection,
  contributionsRoute,
  invokePluginRoute,
  mapLinesRoute,
  marketplaceRoute,
  movePluginRoute,
  type Plugin,
  pluginAnswersRoute,
  pluginsRoute,
  trustRoute,
  verifyPluginRoute,
} from "@gatehouse/contract/routes";
import type { AuditPage, AuditRecord, Store } from "@gatehouse/store";
import { expect, onTestFinished } from "vitest";
import type { Parts } from "../src/compose.ts";
import type { Config } from "../src/config.ts";
import { farStore } from "./far-store.ts";
import { keptWith, startServer, testIdentity } from "./start-server.ts";

/** One key for all test files of a worker: making keys is not what they are about. */
export const publisher = generatePublisherKey();

export const netguard: ManifestFields = {
  id: "netguard",
  name: "Netguard",
  version: "1.0.0",
  publisher: "gatehouse",
  runner: "system",
  capabilities: ["host:firewall", "kv:read"],
  contributions: {
    nav: [
      { component: "netguard.firewall", title: "Firewall", path: "/apps/netguard", icon: "shield", scope: "plan:read" },
      { component: "netguard.unheard-of", title: "Nothing", path: "/apps/netguard/nothing" },
    ],
    enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }],
  },
};

export const plain = (id: string, more: Partial<ManifestFields> = {}): ManifestFields => ({
  id,
  name: id,
  version: "1.0.0",
  publisher: "gatehouse",
  runner: "system",
  capabilities: ["log:write"],
  ...more,
});

export const trust = {
  publishers: {
    gatehouse: {
      keys: [{ id: publisher.keyId, publicKey: publisher.publicKey }],
      idPrefixes: ["netguard", "wireguard", "plugin-"],
      capabilities: ["host:firewall", "http:egress", "kv:read", "kv:write", "log:write", "node:read"],
    },
  },
};

/** A plugin directory that is gone when the test is over. */
export function pluginFolder() {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-plugins-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const place = (fields: ManifestFields, artifact = `artifact of ${fields.id} ${fields.version}`, name = fields.id) => {
    const sha256 = createHash("sha256").update(artifact).digest("hex");
    const manifest = signManifest(packManifest(fields, { sha256, size: Buffer.byteLength(artifact) }), publisher);
    mkdirSync(join(directory, name), { recursive: true });
    writeFileSync(join(directory, name, "manifest.json"), serialiseManifest(manifest));
    writeFileSync(join(directory, name, "artifact"), artifact);
    return sha256;
  };
  return {
    directory,
    place,
    write: (name: string, text: string) => writeFileSync(join(directory, name), text),
    remove: (name: string) => rmSync(join(directory, name), { recursive: true }),
  };
}

/** Where plugins are staged; gone when the test is over. */
function runtimeFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-runtime-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Arms what it is given, and can be told not to. */
export function testRunner() {
  const armed = new Map<string, string>();
  const events: string[] = [];
  const told: { refuseArm?: Error | undefined; refuseDisarm?: Error | undefined } = {};
  let before = () => Promise.resolve();
  const part: Parts["runner"] = {
    arm: async ({ manifest, artifactSha256 }) => {
      await before();
      if (told.refuseArm !== undefined) throw told.refuseArm;
      armed.set(manifest.id, artifactSha256);
      events.push(`armed ${manifest.id}`);
      return {
        sandbox: "test",
        run: () => Promise.resolve({ outcome: { ok: true, result: { status: "ok" } }, calls: [], ms: 1 }),
        disarm: async () => {
          armed.delete(manifest.id);
          events.push(`detached ${manifest.id}`);
          if (told.refuseDisarm !== undefined) throw told.refuseDisarm;
        },
      };
    },
  };
  return {
    part,
    armed,
    events,
    told,
    /** What arming waits for. */
    waitFor: (step: () => Promise<void>) => {
      before = step;
    },
  };
}

/** A store that outlives the servers on it. */
export function lastingStore(): Store {
  return { ...farStore(), close: () => Promise.resolve() };
}

export interface Listed {
  readonly items: readonly Plugin[];
  readonly rejections: readonly BundleRejection[];
  readonly sandbox: {
    readonly level: string | null;
    readonly isTried: boolean;
    readonly least: string;
    readonly message: string;
  };
  readonly nextCursor: string | null;
}

/** A plugin, or what a problem says instead. */
export type Moved = Plugin & { readonly code?: string; readonly detail: string };

export type Known = (typeof pluginAnswersRoute)["responses"][200]["_output"];

export interface PluginServerOptions {
  readonly directory?: string;
  readonly store?: Store;
  readonly runner?: Parts["runner"];
  readonly config?: Partial<Config>;
  readonly parts?: Partial<Parts>;
}

const rows = [
  pluginsRoute,
  movePluginRoute,
  verifyPluginRoute,
  trustRoute,
  contributionsRoute,
  marketplaceRoute,
  invokePluginRoute,
  mapLinesRoute,
  pluginAnswersRoute,
] as const;

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const found = (path.split("?")[0] ?? "").split("/");
  return (
    expected.length === found.length && expected.every((part, index) => part.startsWith(":") || part === found[index])
  );
}

/** Every answer is what /api/openapi.json says that it is. */
function expectAsDescribed(method: string, path: string, data: unknown): void {
  const row = rows.find((one) => one.method === method && matches(one.path, path));
  if (row === undefined) throw new Error(`${method} ${path} is not a row of these tests`);
  expect(row.responses[200].safeParse(data).error).toBeUndefined();
}

const identity = {
  admin: scopeNames,
  automation: ["plugin:admin"],
  invoker: ["plugin:invoke"],
  viewer: ["node:read", "plan:read", "log:read"],
  stranger: [],
} as const;

/** The whole server over a plugin directory; tokens are the names above. */
export async function startPluginServer(options: PluginServerOptions = {}) {
  const { store = lastingStore(), runner } = options;
  const clock = manualClock();
  const server = await startServer({
    config: {
      pluginDir: options.directory ?? "/nowhere/plugins",
      pluginTrust: { inline: JSON.stringify(trust) },
      runtimeDir: runtimeFolder(),
      // The strongest that this machine offers is used; what each level denies is the sandbox's own suite.
      pluginSandbox: "none",
      ...options.config,
    },
    parts: {
      ...testIdentity(identity).parts,
      clock,
      kept: keptWith(store),
      ...(runner && { runner }),
      ...options.parts,
    },
  });
  const call = async <Body>(method: string, path: string, body?: unknown, as: keyof typeof identity = "admin") => {
    const headers: Record<string, string> = { Authorization: `Bearer ${as}` };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await server.get(path, { method, headers, ...sent });
    const data: unknown = await answer.json();
    if (answer.status === 200) expectAsDescribed(method, path, data);
    return { status: answer.status, body: data as Body };
  };
  const list = async () => (await call<Listed>("GET", "/api/plugins/lifecycle")).body;
  return {
    ...server,
    store,
    clock,
    call,
    list,
    /** The item of a plugin; fails when there is none. */
    plugin: async (id: string) => {
      const found = (await list()).items.find((item) => item.id === id);
      if (found === undefined) throw new Error(`${id} is not listed`);
      return found;
    },
    /** Asks for a move; the item, or what the problem is. */
    move: async (id: string, status: string, artifactSha256?: string) => {
      const answer = await call<Moved>("POST", "/api/plugins/lifecycle", { id, status, artifactSha256 });
      return { ...answer, code: answer.body.code };
    },
    ask: (id: string, action: string, input?: unknown, as: keyof typeof identity = "invoker") =>
      call<ActionReport & { readonly code?: string; readonly detail?: string }>(
        "POST",
        `/api/plugins/${id}/actions/${action}`,
        input === undefined ? {} : { input },
        as,
      ),
    /** What the server knows the plugin to say of itself. */
    look: (id: string, as: keyof typeof identity = "invoker") =>
      call<Known & { readonly code?: string }>("GET", `/api/plugins/${id}/answers`, undefined, as),
    contributions: async (as: keyof typeof identity = "admin") =>
      (await call<{ items: ActiveContribution[] }>("GET", "/api/plugins/contributions", undefined, as)).body.items,
    audit: async () => {
      const found: AuditRecord[] = [];
      for (let next: number | undefined = 0; next !== undefined; ) {
        const page: AuditPage = await store.searchAudit({
          order: "oldest",
          limit: 1_000,
          action: "plugin.",
          after: next,
        });
        found.push(...page.items);
        next = page.next;
      }
      return found;
    },
  };
}
