import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildArtifact } from "@gatehouse/plugin-sdk/build";
import { bundlePlugin } from "../../tools/build/bundle-plugin.ts";
import { freshDirectory } from "./driver/directories.ts";
import { processDriver } from "./driver/process-driver.ts";
import { type Operator, PluginYard } from "./plugin-yard.ts";
import { root } from "./server-under-test.ts";

/** Official plugins as a release has them, and servers whose policy accepts them. */
export interface OfficialRelease {
  /** Digests of the artifacts, by the plugins' ids. */
  readonly shas: ReadonlyMap<string, string>;
  /** A plugin directory with them, and a policy that accepts them. */
  openYard(): PluginYard;
  start(prepare?: (yard: PluginYard) => unknown): Promise<Operator>;
  activate(operator: Operator, id: string): Promise<void>;
}

/**
 * Builds them as `npm run plugins:build` does, and packs and signs them with the CLI on the publisher's machine. The policy grants
 * what they declare and no more.
 */
export async function makeRelease(ids: readonly string[]): Promise<OfficialRelease> {
  const shas = new Map<string, string>();
  const release = freshDirectory();
  const key = join(release, "publisher.key");
  const made = await publisher(`plugin keygen --out ${key} --publisher gatehouse --no-passphrase`);
  const capabilities = new Set<string>();
  for (const id of ids) {
    const home = join(root, "plugins", id);
    const { artifact, description, sha256 } = await buildArtifact(bundlePlugin, {
      entry: join(home, "src/main.ts"),
      description: join(home, "plugin.json"),
      out: join(release, "built", id),
    });
    shas.set(id, sha256);
    await publisher(`plugin pack ${description} ${artifact} --out ${release}`);
    await publisher(`plugin sign ${join(release, id)} --key ${key}`);
    const declared = JSON.parse(readFileSync(description, "utf8")) as { capabilities: string[] };
    for (const capability of declared.capabilities) capabilities.add(capability);
  }
  const keys = [{ id: made["keyId"], publicKey: made["publicKey"] }];
  const gatehouse = { keys, idPrefixes: ids, capabilities: [...capabilities], firstParty: true };
  const openYard = () => {
    const yard = new PluginYard();
    for (const id of ids) cpSync(join(release, id), join(yard.directory, id), { recursive: true });
    const { publishers } = JSON.parse(readFileSync(yard.trustFile, "utf8")) as { publishers: object };
    writeFileSync(yard.trustFile, JSON.stringify({ publishers: { ...publishers, gatehouse } }));
    return yard;
  };
  return {
    shas,
    openYard,
    start: async (prepare = () => undefined) => {
      const yard = openYard();
      prepare(yard);
      return yard.start();
    },
    activate: async (operator, id) => {
      for (const status of ["installed", "active"]) {
        const moved = await operator.move(id, status, shas.get(id));
        if (moved.status !== 200) throw new Error(`${id} did not become ${status}: ${moved.text}`);
      }
    },
  };
}

/** A command of the publisher's, on a machine of their own also when the server is a container. */
async function publisher(line: string): Promise<Readonly<Record<string, unknown>>> {
  const { code, out, err } = await processDriver.gatehouse([...line.split(" "), "--json"]);
  if (code !== 0) throw new Error(`gatehouse ${line} ended with ${code}: ${out}${err}`);
  return JSON.parse(out) as Record<string, unknown>;
}
