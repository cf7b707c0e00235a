import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capabilityNames } from "@gatehouse/contract";
import { freshDirectory } from "../acceptance/driver/directories.ts";
import { processDriver } from "../acceptance/driver/process-driver.ts";
import { firstAdministrator, type RunningServer, type Settings } from "../acceptance/driver/server-driver.ts";
import { keyOf, makeBundle, policyText, type SampleBundle, type SampleFields } from "../bundles/sample.ts";

export const admin = {
  username: firstAdministrator["SERVICE_ADMIN_USERNAME"] ?? "",
  password: firstAdministrator["SERVICE_ADMIN_PASSWORD"] ?? "",
} as const;

/** A server with a plugin directory, a trust policy and a marketplace of its own. */
export class World implements AsyncDisposable {
  readonly place = freshDirectory();
  readonly plugins = join(this.place, "plugins");
  readonly dataDir = join(this.place, "data");
  readonly marketplaceFile = join(this.place, "marketplace.json");
  readonly #settings: Settings;
  #server: RunningServer | undefined;
  #port = 0;
  readonly #preloads: readonly string[];

  /** `preloads` are files of this folder that the server loads before its own code, beside the clock that jumps. */
  constructor(settings: Settings = {}, preloads: readonly string[] = []) {
    this.#settings = settings;
    this.#preloads = ["clock-that-jumps.ts", ...preloads];
    mkdirSync(this.plugins);
    // The official plugins are played under ids of its own.
    const acme = { keys: [keyOf("acme")], capabilities: capabilityNames, firstParty: true };
    writeFileSync(join(this.place, "trust.json"), policyText({ acme }));
    this.sell([]);
  }

  get server(): RunningServer {
    if (this.#server === undefined) throw new Error("the server was not started");
    return this.#server;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Signs a bundle and puts it in place whole, as an operator does. The server sees it at its next start. */
  bundle(fields: SampleFields, artifact: string = politeArtifact()): SampleBundle {
    const bundle = makeBundle({ capabilities: ["log:write"], ...fields }, [keyOf("acme")], artifact);
    this.put(bundle.id, bundle);
    return bundle;
  }

  put(name: string, { manifestBytes, artifact }: Pick<SampleBundle, "manifestBytes" | "artifact">): void {
    const aside = join(this.place, "aside");
    mkdirSync(aside);
    writeFileSync(join(aside, "manifest.json"), manifestBytes);
    writeFileSync(join(aside, "artifact"), artifact);
    rmSync(join(this.plugins, name), { recursive: true, force: true });
    renameSync(aside, join(this.plugins, name));
  }

  sell(entries: readonly unknown[]): void {
    writeFileSync(this.marketplaceFile, JSON.stringify({ entries }));
  }

  /** Also after a stop: then at the same address. */
  async start(): Promise<this> {
    const settings = {
      SERVICE_LISTEN: `127.0.0.1:${this.#port}`,
      SERVICE_PLUGIN_DIR: this.plugins,
      SERVICE_PLUGIN_TRUST: join(this.place, "trust.json"),
      SERVICE_MARKETPLACE_FILE: this.marketplaceFile,
      // Nobody outside is asked for anything.
      SERVICE_GEOIP_LOOKUP_URL: "off",
      SERVICE_API_RATE: "1000,2000",
      SERVICE_SIGNIN_RATE: "1000",
      // Plugins come last on a busy machine; what they answer is tested, not how soon.
      SERVICE_PLUGIN_DEADLINE_FACTOR: "12",
      SERVICE_ACCESS_LOG: "1",
      SERVICE_LOG_FORMAT: "json",
      NODE_OPTIONS: this.#preloads.map((file) => `--import ${join(import.meta.dirname, file)}`).join(" "),
      ...this.#settings,
    };
    this.#server = await processDriver.start({ settings, dataDir: this.dataDir });
    this.#port = Number(new URL(this.#server.baseUrl).port);
    return this;
  }

  async stop(): Promise<void> {
    if (this.server.isRunning()) await this.server.stop();
  }

  /** Six minutes on, for the server: a sign-in is no longer fresh. */
  jump(): void {
    this.server.signal("SIGUSR2");
  }

  /** How often a browser told the server that the policy refused something. */
  policyReports(): number {
    return this.server.log.text.split("\n").filter((line) => line.includes("/api/csp-reports")).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server?.isRunning() === true) await this.#server.stop("SIGKILL");
    rmSync(this.place, { recursive: true, force: true });
  }
}

/** A whole plugin in a few lines of shell: it describes itself, is well, and plans nothing. */
export function politeArtifact(summary = "Says hello.", health = "ok", mapLines: readonly unknown[] = []): string {
  const answer = (value: unknown) => `answer ${quoted(JSON.stringify(value))} ;;`;
  return `#!/bin/sh
read -r line
answer() { printf '{"jsonrpc":"2.0","id":0,"result":%s}\\n' "$1"; }
case "$1" in
  describe) ${answer({ name: "Hello", version: "1.0.0", summary, ...(mapLines.length > 0 && { mapLines }) })}
  health) ${answer({ status: health })}
esac
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
