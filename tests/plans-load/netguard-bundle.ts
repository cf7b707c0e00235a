import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatePublisherKey, type ManifestFields, packManifest, signManifest } from "@gatehouse/bundle/sign";
import { serialiseManifest } from "@gatehouse/bundle/verify";
import { buildArtifact } from "@gatehouse/plugin-sdk/build";
import { bundlePlugin } from "../../tools/build/bundle-plugin.ts";

const home = join(import.meta.dirname, "../../plugins/netguard");

/** Builds and signs netguard into a directory; the answer is the settings of a server that takes it. */
export async function bundleNetguard(directory: string): Promise<Record<string, string>> {
  const built = await buildArtifact(bundlePlugin, {
    entry: join(home, "src/main.ts"),
    description: join(home, "plugin.json"),
    out: join(directory, "built"),
  });
  const fields = JSON.parse(await readFile(built.description, "utf8")) as ManifestFields;
  const key = generatePublisherKey();
  const place = join(directory, "plugins", fields.id);
  await mkdir(place, { recursive: true });
  await writeFile(join(place, "manifest.json"), serialiseManifest(signManifest(packManifest(fields, built), key)));
  await copyFile(built.artifact, join(place, "artifact"));
  const keys = [{ id: key.keyId, publicKey: key.publicKey }];
  const trusted = { keys, idPrefixes: [fields.id], capabilities: fields.capabilities, firstParty: true };
  return {
    SERVICE_PLUGIN_DIR: join(directory, "plugins"),
    SERVICE_PLUGIN_TRUST: JSON.stringify({ publishers: { [fields.publisher]: trusted } }),
  };
}
