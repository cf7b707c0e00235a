import { fault, isFault } from "@gatehouse/contract";
import { marketplaceLimits, type MarketplaceItem, parseMarketplace } from "./parse-marketplace.ts";

export interface MarketplaceDeps {
  /** SERVICE_MARKETPLACE_FILE; without it the marketplace is empty. */
  readonly file: string | undefined;
  /** Reads a whole file of at most so many bytes; says why not in one line. */
  readonly readFile: (path: string, most: number) => Promise<Uint8Array>;
}

/** Reads the metadata once, at the start. A file that is set and cannot be used stops it. */
export async function openMarketplace({ file, readFile }: MarketplaceDeps): Promise<readonly MarketplaceItem[]> {
  if (file === undefined) return [];
  const bytes = await readFile(file, marketplaceLimits.bytes).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw fault("marketplace.unreadable", `SERVICE_MARKETPLACE_FILE: cannot read ${file}: ${reason}`, { cause: error });
  });
  try {
    return parseMarketplace(bytes);
  } catch (error) {
    if (!isFault(error, "marketplace.invalid")) throw error;
    throw fault("marketplace.invalid", `SERVICE_MARKETPLACE_FILE (${file}): ${error.detail}`, { fields: error.fields });
  }
}
