import * as z from "zod";
import { capabilityNames, capabilityRisks } from "../capabilities.ts";
import { surfaces } from "../component-keys.ts";
import { actionNames, keyId, lifecycleStates, pluginId, runnerNames, sha256Hex } from "../plugin-names.ts";
import { scopeNames } from "../scopes.ts";
import { limitOf } from "./list-shape.ts";
import type { RouteSpec } from "./route.ts";

const time = z.iso.datetime();

export const bundleCheck = z
  .strictObject({
    name: z.string(),
    outcome: z.enum(["passed", "failed", "skipped"]),
    expected: z.string(),
    found: z.string(),
  })
  .meta({ id: "BundleCheck", description: "One step of verification: what was expected and what was found." });
export type BundleCheck = z.output<typeof bundleCheck>;

const refusalFields = {
  code: z.string().meta({ description: "Stable and dotted: bundle.publisher_not_trusted." }),
  title: z.string(),
  detail: z.string(),
  todo: z.string().meta({ description: "What to do about it." }),
};

export const bundleRejection = z
  .strictObject({
    name: z.string().meta({ description: "Name of the entry in the plugin directory, made printable." }),
    ...refusalFields,
    rejectedAt: time,
  })
  .meta({ id: "BundleRejection" });
export type BundleRejection = z.output<typeof bundleRejection>;

/** Why a contribution of a plugin is not shown (contract 7: unauthorized, unknown, stale or failed). */
export const hiddenReasons = ["unauthorized", "unknown", "stale", "failed"] as const;

const contributionFields = {
  component: z.string(),
  title: z.string().nullable(),
  path: z.string().nullable(),
  icon: z.string().nullable(),
  scope: z.enum(scopeNames).nullable(),
  surface: z.enum(surfaces).nullable().meta({ description: "Set for an enhancement of a native surface." }),
};

export const pluginContribution = z
  .strictObject({
    kind: z.enum(["nav", "enhancement"]),
    ...contributionFields,
    visible: z.boolean(),
    reason: z.enum(hiddenReasons).optional().meta({ description: "Why it is not visible to the caller." }),
    detail: z.string().optional().meta({ description: "The same in words, where one word does not say enough." }),
  })
  .meta({ id: "PluginContribution" });
export type PluginContribution = z.output<typeof pluginContribution>;

export const pluginCapability = z.strictObject({ name: z.enum(capabilityNames), risk: z.enum(capabilityRisks) });

export const pluginVersion = z
  .strictObject({
    version: z.string(),
    artifactSha256: sha256Hex,
    payloadSha256: sha256Hex,
    publisher: pluginId,
    capabilities: z.array(z.enum(capabilityNames)),
    status: z.enum(lifecycleStates).meta({ description: "Where it stood when it was closed." }),
    verifiedAt: time,
    installedAt: time.nullable(),
    closedAt: time,
    reason: z.string(),
  })
  .meta({ id: "PluginVersion", description: "A closed record: other bytes took its place." });

export const pluginChange = z
  .strictObject({
    from: z.strictObject({ version: z.string(), artifactSha256: sha256Hex }),
    to: z.strictObject({ version: z.string(), artifactSha256: sha256Hex }),
    addedCapabilities: z.array(z.enum(capabilityNames)),
    removedCapabilities: z.array(z.enum(capabilityNames)),
    downgrade: z.boolean().meta({ description: "Below the highest version that was accepted." }),
  })
  .meta({
    id: "PluginChange",
    description: "What differs from the bytes that were accepted last, or else from those that stood here before.",
  });

/** How well a plugin is fenced in, the strongest first. */
export const sandboxLevels = ["namespaces", "landlock", "none"] as const;

export const runtimeStates = ["absent", "armed", "failed"] as const;

export const pluginRuntime = z
  .strictObject({
    state: z.enum(runtimeStates),
    runner: z.enum(runnerNames),
    sandbox: z.string().nullable().meta({ description: "How it is confined; null while it is not armed." }),
    message: z.string().nullable(),
    breaker: z.enum(["closed", "open", "half-open"]).nullable().meta({ description: "null while it is not armed." }),
    failuresInARow: z.int(),
    actions: z.int().meta({ description: "Actions since it was armed." }),
    capabilityUse: z
      .array(z.strictObject({ name: z.enum(capabilityNames), calls: z.int() }))
      .meta({ description: "Declared capabilities, with how often each was used since it was armed." }),
    lastErrors: z
      .array(z.strictObject({ at: time, action: z.enum(actionNames), reason: z.string(), stderr: z.string() }))
      .meta({ description: "Newest first." }),
  })
  .meta({ id: "PluginRuntime" });

export const plugin = z
  .strictObject({
    id: pluginId,
    name: z.string(),
    publisher: pluginId,
    version: z.string(),
    status: z.enum(lifecycleStates),
    capabilities: z.array(pluginCapability),
    egressHosts: z.array(z.string()),
    artifactSha256: sha256Hex,
    artifactSize: z.int(),
    payloadSha256: sha256Hex.meta({ description: "SHA-256 of the signing payload: what acceptance belongs to." }),
    signers: z.array(keyId).meta({ description: "Keys of the trust policy that signed these bytes." }),
    expiresAt: time.nullable(),
    available: z.boolean().meta({ description: "Whether the bundle on disk was loaded at the last start." }),
    runtime: pluginRuntime,
    contributions: z.array(pluginContribution),
    change: pluginChange.optional(),
    history: z.array(pluginVersion),
    moves: z.array(z.enum(lifecycleStates)).meta({ description: "The states it can be moved to now." }),
    verifiedAt: time,
    installedAt: time.nullable(),
    activatedAt: time.nullable(),
    disabledAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Plugin" });
export type Plugin = z.output<typeof plugin>;

export const pluginsRoute = {
  method: "GET",
  path: "/api/plugins/lifecycle",
  summary: "Lists the lifecycle records, and the bundles that were rejected at the last start.",
  access: { kind: "scope", scope: "plugin:admin", nodes: "every" },
  query: z.strictObject({ limit: limitOf(200, 100), cursor: pluginId.optional() }),
  responses: {
    200: z.strictObject({
      items: z.array(plugin),
      rejections: z.array(bundleRejection).meta({
        description: "On every page. Of entries beyond the largest number, the first hundred are named.",
      }),
      sandbox: z
        .strictObject({
          level: z
            .enum(sandboxLevels)
            .nullable()
            .meta({ description: "What this host offers; null when no plugin can run, or while none was to be run." }),
          isTried: z.boolean().meta({ description: "False while there is no bundle: then nothing was tried." }),
          least: z.enum(sandboxLevels).meta({ description: "SERVICE_PLUGIN_SANDBOX: the weakest that is accepted." }),
          message: z.string().meta({ description: "What was tried, in plain words." }),
        })
        .meta({ description: "Found at the last start by trying." }),
      nextCursor: z.string().nullable(),
    }),
  },
} as const satisfies RouteSpec;

export const movePluginRoute = {
  method: "POST",
  path: "/api/plugins/lifecycle",
  summary: "Moves a plugin to another state. Never changes a host.",
  access: {
    kind: "scope",
    scope: "plugin:admin",
    nodes: "every",
    stepUp: "sessions",
    lowers: { says: "`status: disabled`", body: z.looseObject({ status: z.literal("disabled") }) },
  },
  body: z.strictObject({
    id: pluginId,
    status: z.enum(lifecycleStates),
    artifactSha256: sha256Hex
      .optional()
      .meta({ description: "The digest that is accepted; it must be the one on disk." }),
  }),
  responses: { 200: plugin },
  faults: [
    "plugin.unknown",
    "plugin.transition_rejected",
    "plugin.digest_stale",
    "plugin.not_available",
    "plugin.downgrade_refused",
    "plugin.activation_failed",
  ],
} as const satisfies RouteSpec;

export const bundleVerdict = z
  .strictObject({
    id: pluginId,
    accepted: z.boolean(),
    refusal: z.strictObject(refusalFields).nullable(),
    checks: z.array(bundleCheck),
    artifactSha256: sha256Hex.nullable(),
    loaded: z.boolean().meta({ description: "Whether these are the bytes that were loaded at the last start." }),
  })
  .meta({ id: "BundleVerdict" });
export type BundleVerdict = z.output<typeof bundleVerdict>;

export const verifyPluginRoute = {
  method: "POST",
  path: "/api/plugins/verify",
  summary: "Judges the bundle that is on disk now and shows every check. Changes no record.",
  access: { kind: "scope", scope: "plugin:admin", nodes: "every" },
  body: z.strictObject({ id: pluginId }),
  responses: { 200: bundleVerdict },
  faults: ["plugin.unknown"],
  rate: { perMinute: 30, burst: 10 },
} as const satisfies RouteSpec;

export const activeContribution = z
  .strictObject({
    plugin: pluginId,
    kind: z.enum(["nav", "enhancement"]),
    ...contributionFields,
  })
  .meta({ id: "ActiveContribution" });
export type ActiveContribution = z.output<typeof activeContribution>;

export const contributionsRoute = {
  method: "GET",
  path: "/api/plugins/contributions",
  summary: "Lists the contributions of active plugins that the caller may see.",
  access: { kind: "signed-in", nodes: { none: "a plugin's pages name no node" } },
  responses: { 200: z.strictObject({ items: z.array(activeContribution), nextCursor: z.null() }) },
} as const satisfies RouteSpec;

export const trustedPublisher = z
  .strictObject({
    id: pluginId,
    keys: z.array(
      z.strictObject({
        id: keyId,
        publicKey: z.string(),
        notAfter: time.nullable(),
        status: z.enum(["valid", "expired", "revoked"]),
      }),
    ),
    idPrefixes: z.array(z.string()),
    capabilities: z.array(pluginCapability),
    threshold: z.int(),
    firstParty: z.boolean().meta({ description: "Whether its plugins may enhance what the dashboard has of its own." }),
  })
  .meta({ id: "TrustedPublisher" });

export const trustRoute = {
  method: "GET",
  path: "/api/plugins/trust",
  summary: "Shows the trust policy the server started with.",
  access: { kind: "scope", scope: "plugin:admin", nodes: "every" },
  responses: {
    200: z.strictObject({
      configured: z.boolean(),
      items: z.array(trustedPublisher),
      revoked: z.strictObject({ keys: z.array(keyId), digests: z.array(sha256Hex) }),
      nextCursor: z.null(),
    }),
  },
} as const satisfies RouteSpec;
