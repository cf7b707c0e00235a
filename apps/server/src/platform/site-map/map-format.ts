import * as z from "zod";

/** The file in `dist/site` that lists the others. The build writes it, the server reads it once. */
export const mapFileName = "map.json";

/** One letter, digit or underscore first: no entry can name a hidden file or climb out of the folder. */
export const assetName = /^[a-z0-9_][a-z0-9._-]{0,127}$/;

const siteEntry = z.strictObject({
  /** Name in `dist/site`; compressed copies stand beside it as `.br` and `.gz`. */
  file: z.string().regex(assetName),
  type: z.string().regex(/^[a-z]+\/[a-z0-9.+-]+(; charset=utf-8)?$/),
  /** Of the uncompressed bytes, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  compressed: z.boolean(),
});
export type SiteEntry = z.infer<typeof siteEntry>;

export const siteMapFile = z.strictObject({
  shell: siteEntry,
  themeInit: siteEntry,
  /** By the name that follows `/assets/` in a request. */
  assets: z.record(z.string().regex(assetName), siteEntry),
});
export type SiteMapFile = z.infer<typeof siteMapFile>;
