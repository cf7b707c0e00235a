import { chmod, utimes } from "node:fs/promises";
import { join } from "node:path";
import { serialiseManifest, verifyBundle } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, policyText } from "../bundles/sample.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** Several: a field that was used later stood outside what was signed. Here everything but the signatures is inside. */
const fields = {
  name: "All there is",
  version: "1.2.3-rc.1",
  publisher: "acme",
  runner: "system",
  capabilities: ["http:egress", "kv:read"],
  egress: { hosts: ["a.example.org"] },
  contributions: {
    nav: [{ component: "netguard.firewall", title: "Rules", path: "/apps/acme-all", icon: "wall", scope: "node:read" }],
    enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }],
  },
  expiresAt: "2099-01-01T00:00:00Z",
} as const;
const trusted = {
  acme: { keys: [keyOf("acme")], capabilities: ["http:egress", "kv:read", "kv:write"] },
  other: { keys: [keyOf("other")], idPrefixes: ["acme-"] },
} as const;
const policy = policyOf(trusted);
const good = makeBundle({ ...fields, id: "acme-all" });
const judge = (manifest: object) =>
  verifyBundle({ bundle: inMemory({ ...good, manifestBytes: serialiseManifest(manifest) }), policy, now: 0 });

test("no leaf of a manifest can be changed, removed or added after signing", async (context) => {
  const { signatures, ...signed } = good.manifest;
  expect((await judge({ ...signed, signatures })).accepted).toBe(true);
  const leaves = pathsIn(signed);
  expect(leaves.length).toBeGreaterThan(20);
  const accepted: string[] = [];
  for (const path of leaves) {
    for (const change of [undefined, null, "x", 7, true, [], {}, "kv:write", "acme", "2100-01-01T00:00:00Z"]) {
      const other = structuredClone(signed) as unknown as Record<string, unknown>;
      if (!put(other, path, change)) continue;
      if ((await judge({ ...other, signatures })).accepted)
        accepted.push(`${path.join("/")} as ${JSON.stringify(change)}`);
    }
  }
  for (const name of ["entry", "args", "env", "trusted", "manifest", "Signatures", "icon"]) {
    if ((await judge({ ...signed, [name]: "x", signatures })).accepted) accepted.push(`${name} added`);
  }
  expect(accepted).toEqual([]);
  tried(context, `${count(leaves.length, "leaves")} in 10 ways each`);
});

test("what is not signed changes nothing that is used later", async (context) => {
  const { signatures, ...signed } = good.manifest;
  const stranger = makeBundle({ ...fields, id: "acme-all" }, [keyOf("a stranger")]).manifest.signatures;
  const both = [...signatures, ...stranger].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const alone = await judge({ ...signed, signatures });
  const accompanied = await judge({ ...signed, signatures: both });
  if (!alone.accepted || !accompanied.accepted) throw new Error("both are signed by acme");
  const { manifest: one, ...restOfOne } = alone.bundle;
  const { manifest: two, ...restOfTwo } = accompanied.bundle;
  expect(restOfTwo).toEqual(restOfOne);
  expect({ ...two, signatures: [] }).toEqual({ ...one, signatures: [] });
  tried(context, "1 bundle with and without a stranger's signature");
});

const place = await makePluginPlace(policyText(trusted));
const shown = makeBundle({ ...fields, id: "acme-all" }, [keyOf("acme"), keyOf("a stranger")]);
const path = await placeBundle(place.directory, shown);
// Neither the times nor the modes of the files are signed, so nothing may follow from them.
await utimes(join(path, "manifest.json"), 1, 1);
await chmod(join(path, "artifact"), 0o4777);
const started = await sharedPlugins(place);

test("all that the server shows of a plugin stands in its signed bytes", async (context) => {
  const plugin = await started.find("acme-all");
  const { signatures: _, ...signed } = shown.manifest;
  expect(plugin).toMatchObject({
    id: signed.id,
    name: signed.name,
    version: signed.version,
    publisher: signed.publisher,
    artifactSha256: signed.artifact.sha256,
    artifactSize: signed.artifact.size,
    egressHosts: signed.egress?.hosts,
    signers: [keyOf("acme").keyId],
    runtime: { runner: signed.runner },
  });
  expect(plugin?.capabilities.map(({ name }) => name)).toEqual(signed.capabilities);
  expect(
    plugin?.contributions.map(({ component, title, path: page, icon, scope, surface }) => ({
      component,
      title,
      page,
      icon,
      scope,
      surface,
    })),
  ).toEqual([
    {
      component: "netguard.firewall",
      title: "Rules",
      page: "/apps/acme-all",
      icon: "wall",
      scope: "node:read",
      surface: null,
    },
    {
      component: "wireguard.lines",
      title: null,
      page: null,
      icon: null, // Not from the manifest: whoever may see a surface may see what enhances it.
      scope: "node:read",
      surface: "fleet.map",
    },
  ]);
  expect(JSON.stringify(plugin)).not.toContain(keyOf("a stranger").keyId);
  tried(context, "1 plugin, field by field");
});

/** Where each value stands, the inner ones and the outer ones. */
function pathsIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...at]];
  const inner = Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...at, name]));
  return at.length === 0 ? inner : [[...at], ...inner];
}

/** Puts another value there; false when it is the same one. */
function put(holder: Record<string, unknown>, way: readonly string[], value: unknown): boolean {
  const [name = "", ...rest] = way;
  if (rest.length > 0) return put(holder[name] as Record<string, unknown>, rest, value);
  if (JSON.stringify(holder[name]) === JSON.stringify(value)) return false;
  if (value === undefined) delete holder[name];
  else holder[name] = value;
  return true;
}
