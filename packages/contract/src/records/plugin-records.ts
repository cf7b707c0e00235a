import * as z from "zod";
import { capabilityNames } from "../capabilities.ts";
import { surfaces } from "../component-keys.ts";
import { actionNames, lifecycleStates, runnerNames } from "../plugin-names.ts";
import { scopeNames } from "../scopes.ts";
import { defineKind, moment, type RecordOf, sealedText, text } from "./record-kind.ts";

const capabilities = z.array(z.enum(capabilityNames));

const acceptedBytes = z.strictObject({
  version: text,
  artifactSha256: text,
  payloadSha256: text,
  capabilities,
});

const namedBytes = z.strictObject({ version: text, artifactSha256: text });

export const pluginKind = defineKind({
  name: "plugin",
  says: "What a plugin's bundle says and where it stands in its lifecycle.",
  schema: z.strictObject({
    id: text,
    name: text,
    publisher: text,
    version: text,
    status: z.enum(lifecycleStates),
    runner: z.enum(runnerNames),
    capabilities,
    egressHosts: z.array(text),
    artifactSha256: text,
    artifactSize: z.number(),
    /** What acceptance belongs to: it covers the digest, the version, the capabilities and the contributions. */
    payloadSha256: text,
    signers: z.array(text),
    expiresAt: text.nullable(),
    contributions: z.strictObject({
      nav: z.array(
        z.strictObject({
          component: text,
          title: text,
          path: text,
          icon: text.nullable(),
          scope: z.enum(scopeNames).nullable(),
        }),
      ),
      enhancements: z.array(z.strictObject({ surface: z.enum(surfaces), component: text })),
    }),
    change: z
      .strictObject({
        from: namedBytes,
        to: namedBytes,
        addedCapabilities: capabilities,
        removedCapabilities: capabilities,
        downgrade: z.boolean(),
      })
      .nullable(),
    /** Closed records, the oldest first. The audit log has those that no longer fit. */
    history: z.array(
      acceptedBytes.extend({
        publisher: text,
        status: z.enum(lifecycleStates),
        verifiedAt: moment,
        installedAt: moment.nullable(),
        closedAt: moment,
        reason: text,
      }),
    ),
    /** The bytes that were accepted last, over all records of this plugin. */
    lastAccepted: acceptedBytes.nullable(),
    /** The highest version that was ever accepted; below it a version is a downgrade. */
    highestAccepted: text.nullable(),
    verifiedAt: moment,
    installedAt: moment.nullable(),
    activatedAt: moment.nullable(),
    disabledAt: moment.nullable(),
    /** Why it is disabled although nobody disabled it. */
    failure: text.nullable(),
    /** When other bytes took its place; set only between the two commits of that. */
    closedAt: moment.nullable(),
    createdAt: moment,
    updatedAt: moment,
  }),
  // Before 0.1.5 nobody wrote down why a plugin was disabled, and later only where there was a reason.
  migrations: [(old) => ({ ...old, failure: old["failure"] ?? null })],
  heardWith: "plugin:admin",
  kept: "for ever",
});
export type PluginRecord = RecordOf<typeof pluginKind>;

/**
 * One record for each key: the log keeps every version of a record for ever, so a record of all keys would be written whole for
 * every small change. The publisher is part of whose value it is: another publisher's plugin of the same id never sees it.
 */
export const pluginKvKind = defineKind({
  name: "plugin-kv",
  says: "One value that a plugin keeps for itself.",
  schema: z.strictObject({
    publisher: text,
    /** Bytes of key and value. */
    bytes: z.number(),
    /** A plugin may keep a credential here, and nobody else has to read it. */
    sealed: sealedText,
  }),
  sealed: ["sealed"],
  kept: "until the plugin removes it",
});
export type PluginKvRecord = RecordOf<typeof pluginKvKind>;

/** Changed in the same commit as the value, so that the two never differ. */
export const pluginKvUseKind = defineKind({
  name: "plugin-kv-use",
  says: "How much of its quota a plugin uses.",
  schema: z.strictObject({ publisher: text, keys: z.number(), bytes: z.number() }),
  kept: "for ever",
});
export type PluginKvUseRecord = RecordOf<typeof pluginKvUseKind>;

/** Put in the commit that says that a plugin is asked, and removed in the one that says how it ended: what is left has no end. */
export const pluginQuestionKind = defineKind({
  name: "plugin-question",
  says: "A question to a plugin that has no end on the record yet.",
  schema: z.strictObject({ plugin: text, action: z.enum(actionNames), version: text, artifactSha256: text }),
  kept: "until its end is on the record, at the latest at the next start",
});
export type PluginQuestionRecord = RecordOf<typeof pluginQuestionKind>;
