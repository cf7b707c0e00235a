import { versionPattern } from "@gatehouse/base";
import {
  type Capability,
  capabilityNames,
  pluginIdPattern,
  type RunnerName,
  runnerNames,
  type Scope,
  scopeNames,
  sha256Pattern,
  keyIdPattern,
  type Surface,
  surfaces,
} from "@gatehouse/contract";
import * as z from "zod";
import { decodeBase64 } from "./base64.ts";
import { firstIssue } from "./first-issue.ts";
import { bundleLimits } from "./limits.ts";
import { parseTime } from "./time.ts";

/** What a publisher says about a plugin and signs (contract 2.2). */
export interface Manifest {
  readonly schema: 1;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
  readonly runner: RunnerName;
  /** Sorted and distinct. */
  readonly capabilities: readonly Capability[];
  readonly artifact: { readonly sha256: string; readonly size: number };
  readonly egress?: { readonly hosts: readonly string[] };
  readonly contributions: {
    readonly nav: readonly NavContribution[];
    readonly enhancements: readonly Enhancement[];
  };
  readonly expiresAt?: string;
  /** Sorted by key id and distinct. */
  readonly signatures: readonly ManifestSignature[];
}

export interface NavContribution {
  readonly component: string;
  readonly title: string;
  readonly path: string;
  readonly icon?: string;
  readonly scope?: Scope;
}

export interface Enhancement {
  readonly surface: Surface;
  readonly component: string;
}

export interface ManifestSignature {
  readonly keyId: string;
  readonly ed25519: string;
}

export type ManifestReading =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly at: string; readonly expected: string; readonly found: string };

/** Turns a JSON value into a manifest, or names the first field that is not as expected. */
export function readManifest(value: unknown): ManifestReading {
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) return { ok: false, ...firstIssue(parsed.error, value) };
  return { ok: true, manifest: parsed.data as Manifest };
}

const text = (expected: string, matches: (value: string) => boolean) =>
  z.string({ error: expected }).refine(matches, { error: expected });

const matching = (pattern: RegExp, most: number, expected: string) =>
  text(expected, (value) => value.length <= most && pattern.test(value));

const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.array(item, { error: "an array" }).max(most, { error: `at most ${most} items` });

/** Nothing hidden, no second line, no blank at either end: it is shown beside names that others trust. */
const label = text(
  `1 to ${bundleLimits.nameCharacters} visible characters on one line, with no space at either end`,
  (value) => Array.from(value).length <= bundleLimits.nameCharacters && labelPattern.test(value),
);
const labelPattern = /^(?! )(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}]| )+(?<! )$/u;

const id = matching(pluginIdPattern, 63, "2 to 63 of a-z, 0-9 and -, beginning with a letter or digit");
const component = matching(
  /^[a-z0-9-]+\.[a-z0-9-]+$/,
  64,
  "a component key: two words of a-z, 0-9 and - with a dot between, 64 characters at most",
);

/** Lower-case names with at least two labels, and never an address: the last label is no number. */
const host = matching(
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  253,
  "a host name of lower-case letters without a port",
);

const nav = z.strictObject(
  {
    component,
    title: label,
    path: matching(/^\/[a-z0-9/-]*$/, bundleLimits.pathCharacters, "a path under /apps/"),
    icon: matching(
      /^[a-z][a-z0-9-]{0,31}$/,
      32,
      "an icon's name: 1 to 32 of a-z, 0-9 and -, beginning with a letter",
    ).optional(),
    scope: z.enum(scopeNames, { error: "a scope that exists" }).optional(),
  },
  { error: "an object" },
);

const enhancement = z.strictObject(
  { surface: z.enum(surfaces, { error: `one of ${surfaces.join(", ")}` }), component },
  { error: "an object" },
);

const signature = z.strictObject(
  {
    keyId: matching(keyIdPattern, 32, "a key id: 32 characters of 0-9 and a-f"),
    ed25519: text("64 bytes in base64", (value) => decodeBase64(value, 64) !== undefined),
  },
  { error: "an object" },
);

const isSorted = (items: readonly string[]) => items.join("\n") === [...new Set(items)].sort().join("\n");
const sorted = { error: "a list sorted by UTF-16 code unit, with no item twice" };

const manifestSchema = z
  .strictObject(
    {
      schema: z.literal(1, { error: "1" }),
      id,
      name: label,
      version: matching(
        versionPattern,
        bundleLimits.versionCharacters,
        "a semantic version such as 1.2.3 or 1.2.3-rc.1, without build metadata",
      ),
      publisher: id,
      runner: z.enum(runnerNames, { error: `one of ${runnerNames.join(", ")}` }),
      capabilities: listOf(
        z.enum(capabilityNames, { error: "a capability that exists" }),
        capabilityNames.length,
      ).refine(isSorted, sorted),
      artifact: z.strictObject(
        {
          sha256: matching(sha256Pattern, 64, "a SHA-256 digest: 64 characters of 0-9 and a-f"),
          size: z
            .int({ error: sizeText() })
            .min(1, { error: sizeText() })
            .max(bundleLimits.artifactBytes, { error: sizeText() }),
        },
        { error: "an object" },
      ),
      egress: z
        .strictObject(
          {
            hosts: listOf(host, bundleLimits.egressHosts)
              .min(1, { error: "at least one host" })
              .refine(isSorted, sorted),
          },
          { error: "an object" },
        )
        .optional(),
      contributions: z.strictObject(
        { nav: listOf(nav, bundleLimits.nav), enhancements: listOf(enhancement, bundleLimits.enhancements) },
        { error: "an object" },
      ),
      expiresAt: text("a time such as 2027-01-01T00:00:00Z", (value) => parseTime(value) !== undefined).optional(),
      signatures: listOf(signature, bundleLimits.signatures)
        .refine((items) => isSorted(items.map((item) => item.keyId)), {
          error: "a list sorted by key id, with no key twice",
        })
        .default([]),
    },
    { error: "an object" },
  )
  .superRefine((manifest, context) => {
    const declares = manifest.capabilities.includes("http:egress");
    if (declares !== (manifest.egress !== undefined)) {
      const message = declares ? "the hosts that http:egress is for" : "no hosts without the capability http:egress";
      context.addIssue({ code: "custom", path: ["egress"], message });
    }
    // A plugin's pages stand below its own id, so that it can never stand in place of a page of ours (contract 3.2).
    const own = `/apps/${manifest.id}`;
    const paths = manifest.contributions.nav.map(({ path }) => path);
    for (const [index, path] of paths.entries()) {
      const isBelow = /^(?:\/[a-z0-9-]+)+$/.test(path) && `${path}/`.startsWith(`${own}/`);
      const message = isBelow ? "a path that no other entry has" : `${own} or a path below it`;
      if (isBelow && paths.indexOf(path) === index) continue;
      context.addIssue({ code: "custom", path: ["contributions", "nav", index, "path"], message });
    }
  });

function sizeText(): string {
  return `an integer from 1 to ${bundleLimits.artifactBytes}`;
}
