import { parseStrictJsonBytes } from "@gatehouse/base";
import { capabilityNames, fault, pluginId, sha256Hex } from "@gatehouse/contract";
import * as z from "zod";

export const marketplaceLimits = { bytes: 1024 * 1024, entries: 1_000 } as const;

const visible = /^(?! )(?:[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Z}]| )+(?<! )$/u;
const line = (most: number) =>
  z.string().max(most).regex(visible, "must be visible characters on one line, with no space at either end");

const entry = z.strictObject({
  id: pluginId,
  name: line(80),
  publisher: pluginId,
  version: z
    .string()
    .max(64)
    .regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, "must be a version such as 1.2.3"),
  summary: line(500),
  // Shown as a link: nothing but the web, and no credentials of somebody.
  homepage: z
    .string()
    .max(2_000)
    .refine(
      isHomepage,
      "must be an https address as a browser writes it, such as https://example.com/, without a user name",
    )
    .optional(),
  capabilities: z.array(z.enum(capabilityNames)).max(capabilityNames.length),
  artifactSha256: sha256Hex.optional(),
});

const file = z.strictObject({ entries: z.array(entry).max(marketplaceLimits.entries) });

export type MarketplaceItem = z.output<typeof entry>;

/** Reads the operator's metadata file, sorted by id; throws `marketplace.invalid` that names the place. */
export function parseMarketplace(bytes: Uint8Array): readonly MarketplaceItem[] {
  const read = parseStrictJsonBytes(bytes);
  if (!read.ok) throw invalid("/", `strict JSON is expected: ${read.reason}, at character ${read.at}`);
  const parsed = file.safeParse(read.value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`/${issue?.path.map(String).join("/") ?? ""}`, issue?.message ?? "not as expected");
  }
  const entries = parsed.data.entries.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const twice = entries.find(({ id }, index) => entries[index - 1]?.id === id);
  if (twice !== undefined) throw invalid("/entries", `the id ${twice.id} stands there twice`);
  return entries;
}

function isHomepage(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "" && url.href === text;
}

function invalid(at: string, what: string): Error {
  return fault("marketplace.invalid", `${at}: ${what}`, { fields: { at } });
}
