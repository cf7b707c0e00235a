import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Manifest, serialiseManifest, verifyBundle } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, keyOf, makeBundle, placeBundle, policyText, policyOf } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** Grafana: a plugin whose files had been changed passed for signed. The exhaustive run is `npm run bundles:hostile`. */
const rich = {
  publisher: "acme",
  name: "All there is",
  version: "1.2.3",
  capabilities: ["http:egress", "kv:read"],
  egress: { hosts: ["a.example.org"] },
  contributions: {
    nav: [{ component: "netguard.firewall", title: "T", path: "/apps/acme-x", icon: "wall", scope: "node:read" }],
    enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }],
  },
  expiresAt: "2099-01-01T00:00:00Z",
} as const;
const trusted = { acme: { keys: [keyOf("acme")], capabilities: ["http:egress", "kv:read", "kv:write"] } } as const;

test("a bit, a byte or a place changed in either file of a signed bundle is always found", async (context) => {
  const policy = policyOf(trusted);
  const good = makeBundle({ ...rich, id: "acme-x" });
  expect((await verifyBundle({ bundle: inMemory(good), policy, now: 0 })).accepted).toBe(true);
  const chance = new Chance("changed bytes");
  const rounds = counts["46 changed bundles"];
  const accepted: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const file = chance.pick(["manifestBytes", "artifact"] as const);
    const bytes = Buffer.from(good[file]);
    const at = chance.below(bytes.length);
    const ways = [
      () => bytes.with(at, (bytes[at] ?? 0) ^ (1 << chance.below(8))),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at)]),
      () => Buffer.concat([bytes, bytes.subarray(at)]),
      () => bytes.subarray(0, at),
    ];
    const changed = { ...good, [file]: chance.pick(ways)() };
    if ((await verifyBundle({ bundle: inMemory(changed), policy, now: 0 })).accepted) accepted.push(`${file} at ${at}`);
  }
  expect(accepted).toEqual([]);
  tried(context, count(rounds, "changed bytes"));
});

const id = (word: string) => `acme-${word}`;
type Change = (manifest: Manifest) => object;

/** One change of the manifest after it was signed; the form stays right, so that only the signature can tell. */
const changes: Readonly<Record<string, Change>> = {
  name: (manifest) => ({ ...manifest, name: "Another" }),
  version: (manifest) => ({ ...manifest, version: "9.9.9" }),
  "capability-added": (manifest) => ({ ...manifest, capabilities: ["http:egress", "kv:read", "kv:write"] }),
  "capability-removed": (manifest) => ({ ...manifest, capabilities: ["http:egress"] }),
  "host-added": (manifest) => ({ ...manifest, egress: { hosts: ["a.example.org", "evil.example.org"] } }),
  "host-changed": (manifest) => ({ ...manifest, egress: { hosts: ["evil.example.org"] } }),
  "page-title": (manifest) => ({
    ...manifest,
    contributions: { ...manifest.contributions, nav: [{ ...manifest.contributions.nav[0], title: "Settings" }] },
  }),
  "page-scope": (manifest) => ({
    ...manifest,
    contributions: { ...manifest.contributions, nav: manifest.contributions.nav.map((page) => without(page, "scope")) },
  }),
  "page-removed": (manifest) => ({ ...manifest, contributions: { ...manifest.contributions, nav: [] } }),
  "surface-removed": (manifest) => ({ ...manifest, contributions: { ...manifest.contributions, enhancements: [] } }),
  "expiry-later": (manifest) => ({ ...manifest, expiresAt: "2199-01-01T00:00:00Z" }),
  "expiry-removed": (manifest) => without(manifest, "expiresAt"),
};

const place = await makePluginPlace(policyText(trusted));
const expected: Record<string, string> = {};
for (const [word, change] of Object.entries(changes)) {
  const own = {
    nav: [{ ...rich.contributions.nav[0], path: `/apps/${id(word)}` }],
    enhancements: rich.contributions.enhancements,
  };
  const bundle = makeBundle({ ...rich, contributions: own, id: id(word) });
  await placeBundle(place.directory, { ...bundle, manifestBytes: serialiseManifest(change(bundle.manifest)) });
  expected[id(word)] = "bundle.invalid_signature";
}
await placeFileChanges();
await placeBundle(place.directory, makeBundle({ id: id("good") }));
const started = await sharedPlugins(place);

test("the server loads the bundle that is whole and none that was changed, each with its reason", async (context) => {
  expect((await started.list()).items.map((plugin) => plugin.id)).toEqual([id("good")]);
  expect(await started.codes()).toEqual(expected);
  tried(context, `${count(Object.keys(expected).length, "changed bundles")} at a start`);
});

function without(value: object, name: string): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

/** One file or signature added, removed, renamed or exchanged. */
async function placeFileChanges(): Promise<void> {
  const at = (word: string) => placeBundle(place.directory, makeBundle({ id: id(word) }));
  const { manifest, artifact } = makeBundle({ id: id("unsigned") });
  await placeBundle(place.directory, {
    id: id("unsigned"),
    artifact,
    manifestBytes: serialiseManifest({ ...manifest, signatures: [] }),
  });
  expected[id("unsigned")] = "bundle.unsigned";
  await writeFile(join(await at("added"), "helper.so"), "");
  expected[id("added")] = "bundle.unexpected_entry";
  await rm(join(await at("removed"), "artifact"));
  expected[id("removed")] = "bundle.file_missing";
  const renamed = await at("renamed");
  await rename(join(renamed, "artifact"), join(renamed, "artifact.bin"));
  expected[id("renamed")] = "bundle.unexpected_entry";
  await writeFile(join(await at("exchanged"), "artifact"), "#!/bin/sh\necho evil-------\n");
  expected[id("exchanged")] = "bundle.artifact_digest_mismatch";
  await writeFile(join(await at("same-size"), "artifact"), "#!/bin/sh\necho acme-sAme-size\n");
  expected[id("same-size")] = "bundle.artifact_digest_mismatch";
  await rename(await at("moved"), join(place.directory, id("elsewhere")));
  expected[id("elsewhere")] = "bundle.id_mismatch";
  await mkdir(join(place.directory, id("empty")));
  expected[id("empty")] = "bundle.file_missing";
  await placeBundle(place.directory, makeBundle({ id: id("copied") }), id("second-copy"));
  await placeBundle(place.directory, makeBundle({ id: id("copied") }, [keyOf("a stranger")]));
  expected[id("second-copy")] = "bundle.duplicate_id";
  expected[id("copied")] = "bundle.publisher_not_trusted";
}
