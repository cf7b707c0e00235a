import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generatePublisherKey, type ManifestFields, packManifest, signManifest } from "@gatehouse/bundle/sign";
import { serialiseManifest } from "@gatehouse/bundle/verify";

/** Where `seedPlugins` puts things, for the settings of the server that uses them. */
export interface SeededPlugins {
  readonly plugins: string;
  readonly trust: string;
  readonly marketplace: string;
}

export function seededPlaces(directory: string): SeededPlugins {
  return {
    plugins: join(directory, "plugins"),
    trust: join(directory, "plugin-trust.json"),
    marketplace: join(directory, "marketplace.json"),
  };
}

const publisher = "example";

const bundles: readonly ManifestFields[] = [
  {
    id: "example-firewall",
    name: "Example firewall",
    version: "1.2.0",
    publisher,
    runner: "system",
    capabilities: ["host:firewall", "kv:read", "kv:write", "log:write"],
    contributions: {
      nav: [{ component: "plugin.page", title: "Firewall", path: "/apps/example-firewall", scope: "plan:read" }],
      enhancements: [],
    },
  },
  {
    id: "example-hello",
    name: "Example hello",
    version: "0.3.1",
    publisher,
    runner: "system",
    capabilities: ["log:write"],
  },
  // Signed by the same key and not accepted: the policy below does not let this publisher reach the network.
  {
    id: "example-webhook",
    name: "Example webhook",
    version: "2.0.0",
    publisher,
    runner: "system",
    capabilities: ["http:egress"],
    egress: { hosts: ["hooks.example.com"] },
  },
];

/** Writes bundles of an invented publisher, a trust policy for it and a marketplace. Its key is made here and forgotten. */
export function seedPlugins(directory: string): SeededPlugins {
  const places = seededPlaces(directory);
  const key = generatePublisherKey();
  for (const fields of bundles) {
    const artifact = `#!/usr/bin/env node\n// ${fields.name} ${fields.version}\n`;
    const sha256 = createHash("sha256").update(artifact).digest("hex");
    const manifest = signManifest(packManifest(fields, { sha256, size: Buffer.byteLength(artifact) }), key);
    const place = join(places.plugins, fields.id);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, "manifest.json"), serialiseManifest(manifest));
    writeFileSync(join(place, "artifact"), artifact);
  }
  const keys = [{ id: key.keyId, publicKey: key.publicKey }];
  const capabilities = ["host:firewall", "kv:read", "kv:write", "log:write"];
  writeJson(places.trust, { publishers: { [publisher]: { keys, idPrefixes: ["example-"], capabilities } } });
  writeJson(places.marketplace, {
    entries: bundles.map(({ id, name, version, capabilities }) => ({
      id,
      name,
      publisher,
      version,
      summary: "An invented plugin, for development.",
      capabilities,
    })),
  });
  return places;
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
