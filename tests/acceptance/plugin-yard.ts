import { createHash } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  generatePublisherKey,
  type ManifestFields,
  packManifest,
  type PublisherKey,
  signManifest,
} from "@gatehouse/bundle/sign";
import { type Manifest, serialiseManifest } from "@gatehouse/bundle/verify";
import { capabilityNames } from "@gatehouse/contract";
import { afterAll, beforeAll } from "vitest";
import { type Answer, ask } from "./ask.ts";
import { freshDirectory } from "./driver/directories.ts";
import { firstAdministrator, type Settings } from "./driver/server-driver.ts";
import { driver, type RunningServer, startServer } from "./server-under-test.ts";

/** A plugin as its publisher describes it; what is not said has a harmless value. */
export type Described = Partial<ManifestFields> & { readonly artifact?: string };

/** A plugin directory, a trust policy and a publisher: what lies on an operator's disk before the server starts. */
export class PluginYard {
  readonly place = freshDirectory();
  readonly directory = join(this.place, "plugins");
  readonly trustFile = join(this.place, "trust.json");
  readonly key: PublisherKey = generatePublisherKey();
  /** For a start that finds the data of the one before. */
  readonly dataDir = join(this.place, "data");

  constructor() {
    mkdirSync(this.directory);
    this.trust({});
  }

  /** Writes the trust policy: one publisher, acme, that may do everything under acme- unless told otherwise. */
  trust(acme: Readonly<Record<string, unknown>>, revoked: Readonly<Record<string, readonly string[]>> = {}): void {
    const publisher = {
      keys: [{ id: this.key.keyId, publicKey: this.key.publicKey }],
      idPrefixes: ["acme-"],
      capabilities: capabilityNames,
      ...acme,
    };
    const policy = { publishers: { acme: publisher }, revoked: { keys: [], digests: [], ...revoked } };
    writeFileSync(this.trustFile, JSON.stringify(policy));
  }

  /** Signs a bundle and puts it in place as an operator does: whole, by renaming. */
  bundle(described: Described = {}, key: PublisherKey = this.key): Manifest {
    const manifest = signManifest(unsigned(described), key);
    this.write(manifest.id, serialiseManifest(manifest), described.artifact);
    return manifest;
  }

  write(name: string, manifest: Uint8Array | string, artifact = defaultArtifact): void {
    const target = join(this.directory, name);
    const aside = join(this.place, "aside");
    mkdirSync(aside);
    writeFileSync(join(aside, "manifest.json"), manifest);
    writeFileSync(join(aside, "artifact"), artifact);
    rmSync(target, { recursive: true, force: true });
    renameSync(aside, target);
  }

  remove(name: string): void {
    rmSync(join(this.directory, name), { recursive: true });
  }

  get settings(): Settings {
    return {
      SERVICE_PLUGIN_DIR: this.directory,
      SERVICE_PLUGIN_TRUST: this.trustFile,
      SERVICE_API_RATE: "1000,2000",
      SERVICE_SIGNIN_RATE: "1000",
      // Plugins come last on a busy machine; what they answer is tested, not how soon.
      SERVICE_PLUGIN_DEADLINE_FACTOR: "12",
    };
  }

  async start(settings: Settings = {}): Promise<Operator> {
    const server = await startServer({ settings: { ...this.settings, ...settings }, dataDir: this.dataDir });
    return signIn(server);
  }

  /** As `start`, for who stops it. */
  async startForAll(): Promise<Operator> {
    return signIn(await driver.start({ settings: this.settings, dataDir: this.dataDir }));
  }
}

/** A whole plugin in a few lines: it answers describe and health. */
const defaultArtifact = `#!/bin/sh
read -r line
answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\\n' "$1"; }
case "$1" in
  describe) answer '{"name":"Hello","version":"1.0.0","summary":"Says hello."}' ;;
  health) answer '{"status":"ok"}' ;;
esac
`;

export function unsigned({ artifact = defaultArtifact, ...fields }: Described = {}): Manifest {
  const sha256 = createHash("sha256").update(artifact).digest("hex");
  const harmless: ManifestFields = {
    id: "acme-hello",
    name: "Hello",
    version: "1.0.0",
    publisher: "acme",
    runner: "system",
    capabilities: ["log:write"],
  };
  return packManifest({ ...harmless, ...fields }, { sha256, size: Buffer.byteLength(artifact) });
}

export interface Item {
  readonly id: string;
  readonly status: string;
  readonly artifactSha256: string;
  readonly [field: string]: unknown;
}

export interface Rejection {
  readonly name: string;
  readonly code: string;
  readonly detail: string;
  readonly todo: string;
}

/** Somebody with `plugin:admin` at a running server, by a session or by a token. */
export interface Operator {
  readonly server: RunningServer;
  readonly headers: Readonly<Record<string, string>>;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  readonly move: (id: string, status: string, artifactSha256?: string) => Promise<Answer>;
  /** Input and nodes are for a plan. */
  readonly ask: (id: string, action: string, input?: unknown, nodes?: readonly string[]) => Promise<Answer>;
  readonly list: () => Promise<{ items: readonly Item[]; rejections: readonly Rejection[] }>;
  readonly find: (id: string) => Promise<Item>;
  /** Actions of the audit log with this subject, oldest first, with who did them. */
  readonly audit: (subject: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** `again` signs in anew, for a move that comes when the sign-in has grown old. */
export function operatorAt(
  server: RunningServer,
  headers: Readonly<Record<string, string>>,
  again?: () => Promise<Operator>,
): Operator {
  const json = { ...headers, "Content-Type": "application/json" };
  const get = (path: string) => ask(server.baseUrl, { path, headers });
  const post = (path: string, body: unknown) =>
    ask(server.baseUrl, { method: "POST", path, headers: json, body: JSON.stringify(body) });
  const list: Operator["list"] = async () => {
    const answer = await get("/api/plugins/lifecycle");
    if (answer.status !== 200) throw new Error(`the list was answered ${answer.status}: ${answer.text}`);
    return answer.json as Awaited<ReturnType<Operator["list"]>>;
  };
  return {
    server,
    headers,
    get,
    post,
    list,
    move: async (id, status, artifactSha256) => {
      const answer = await post("/api/plugins/lifecycle", { id, status, artifactSha256 });
      const isOld = answer.status === 403 && answer.json["code"] === "auth.step_up_required";
      return isOld && again !== undefined ? (await again()).move(id, status, artifactSha256) : answer;
    },
    ask: (id, action, input, nodes) => post(`/api/plugins/${id}/actions/${action}`, { input, nodes }),
    find: async (id) => {
      const item = (await list()).items.find((one) => one.id === id);
      if (item === undefined) throw new Error(`there is no plugin ${id}`);
      return item;
    },
    audit: async (subject) => {
      const { json: page } = await get(`/api/audit?limit=200&subject=${encodeURIComponent(subject)}`);
      return (page["items"] as Record<string, unknown>[]).toReversed();
    },
  };
}

/** One operator of one server for several tests of a file, which leave each other's plugins alone. */
export function useOperator(prepare: () => PluginYard): () => Operator {
  let operator: Operator | undefined;
  beforeAll(async () => {
    operator = await prepare().startForAll();
  });
  afterAll(() => operator?.server.stop());
  return () => {
    if (operator === undefined) throw new Error("the server is not there");
    return operator;
  };
}

/** A dashboard session of the first administrator. */
export async function signIn(server: RunningServer): Promise<Operator> {
  const { headers, status, text } = await ask(server.baseUrl, {
    method: "POST",
    path: "/api/auth/login",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      username: firstAdministrator["SERVICE_ADMIN_USERNAME"],
      password: firstAdministrator["SERVICE_ADMIN_PASSWORD"],
    }),
  });
  if (status !== 200) throw new Error(`the sign-in was answered ${status}: ${text}`);
  const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return operatorAt(server, { Cookie: cookie, "Sec-Fetch-Site": "same-origin" }, () => signIn(server));
}

/** A personal access token of that administrator with these scopes and no others. */
export async function withToken(owner: Operator, scopes: readonly string[]): Promise<Operator> {
  const { json, status } = await owner.post("/api/tokens", { name: "a test", scopes });
  if (status !== 201) throw new Error(`issuing a token was answered ${status}`);
  return operatorAt(owner.server, { Authorization: `Bearer ${String(json["token"])}` });
}
