import { type Capability, capabilityNames, keyIdPattern, pluginIdPattern, sha256Pattern } from "@gatehouse/contract";
import * as z from "zod";
import { firstIssue, type Issue } from "./first-issue.ts";
import { trustLimits } from "./limits.ts";
import { parseTime } from "./time.ts";

export interface PolicyFields {
  publishers: Record<
    string,
    {
      keys: { id: string; publicKey: string; notAfter?: string | undefined }[];
      idPrefixes: string[];
      capabilities: Capability[];
      threshold?: number | undefined;
      firstParty?: boolean | undefined;
    }
  >;
  revoked?: { keys?: string[] | undefined; digests?: string[] | undefined } | undefined;
}

/** The closed form of a trust policy. What one field says about another is judged by `parseTrustPolicy`. */
export function readPolicyFields(value: unknown): { ok: true; policy: PolicyFields } | ({ ok: false } & Issue) {
  const parsed = policySchema.safeParse(value);
  return parsed.success ? { ok: true, policy: parsed.data } : { ok: false, ...firstIssue(parsed.error, value) };
}

const matching = (pattern: RegExp, expected: string) =>
  z.string({ error: expected }).regex(pattern, { error: expected });
const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.array(item, { error: "an array" }).max(most, { error: `at most ${most} items` });
const isDistinct = (items: readonly string[]) => new Set(items).size === items.length;
const distinct = { error: "no item twice" };

const keyIdText = matching(keyIdPattern, "a key id: 32 characters of 0-9 and a-f");
const timeText = "a time such as 2027-01-01T00:00:00Z";

const key = z.strictObject(
  {
    id: keyIdText,
    publicKey: z.string({ error: "32 bytes in base64" }),
    notAfter: z
      .string({ error: timeText })
      .refine((time) => parseTime(time) !== undefined, { error: timeText })
      .optional(),
  },
  { error: "an object" },
);

/** A prefix ends in "-"; anything else is one whole id. Otherwise `net` would also claim `netguard-of-somebody-else`. */
const prefix = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,61}-|[a-z0-9-]{1,62})$/,
  'a prefix that ends in "-", or a whole plugin id',
);

const thresholdText = "an integer of 1 or more";
const publisher = z.strictObject(
  {
    keys: listOf(key, trustLimits.keysOfPublisher).min(1, { error: "at least one key" }),
    idPrefixes: listOf(prefix, trustLimits.idPrefixes).refine(isDistinct, distinct),
    capabilities: listOf(z.enum(capabilityNames, { error: "a capability that exists" }), capabilityNames.length).refine(
      isDistinct,
      distinct,
    ),
    threshold: z.int({ error: thresholdText }).min(1, { error: thresholdText }).optional(),
    firstParty: z.boolean({ error: "true or false" }).optional(),
  },
  { error: "an object" },
);

const publisherId = matching(pluginIdPattern, "a publisher's id: 2 to 63 of a-z, 0-9 and -");
const digest = matching(sha256Pattern, "a SHA-256 digest: 64 characters of 0-9 and a-f");

const policySchema = z.strictObject(
  {
    publishers: z
      .record(publisherId, publisher, { error: "an object with a publisher's id for each key" })
      .refine((all) => Object.keys(all).length <= trustLimits.publishers, {
        error: `at most ${trustLimits.publishers} publishers`,
      }),
    revoked: z
      .strictObject(
        {
          keys: listOf(keyIdText, trustLimits.revoked).optional(),
          digests: listOf(digest, trustLimits.revoked).optional(),
        },
        { error: "an object" },
      )
      .optional(),
  },
  { error: "an object" },
);
