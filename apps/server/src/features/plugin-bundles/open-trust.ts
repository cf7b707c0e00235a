import { emptyTrustPolicy, parseTrustPolicy, type TrustPolicy, trustLimits } from "@gatehouse/bundle/verify";
import { fault, isFault } from "@gatehouse/contract";
import type { TrustSource } from "@gatehouse/contract/settings";

export interface TrustDeps {
  /** SERVICE_PLUGIN_TRUST; without it nobody is trusted. */
  readonly source: TrustSource | undefined;
  /** Reads a whole file of at most so many bytes; says why not in one line. */
  readonly readFile: (path: string, most: number) => Promise<Uint8Array>;
}

/** Reads the trust policy, or stops the start: a policy that cannot be read must not become "trust nobody" unnoticed. */
export async function openTrust({ source, readFile }: TrustDeps): Promise<TrustPolicy> {
  if (source === undefined) return emptyTrustPolicy;
  const bytes = "inline" in source ? new TextEncoder().encode(source.inline) : await readNamed(readFile, source.file);
  try {
    return parseTrustPolicy(bytes);
  } catch (error) {
    if (!isFault(error, "trust.invalid")) throw error;
    const place = "inline" in source ? "" : ` (${source.file})`;
    throw fault("trust.invalid", `SERVICE_PLUGIN_TRUST${place}: ${error.detail}`, { fields: error.fields });
  }
}

async function readNamed(readFile: TrustDeps["readFile"], path: string): Promise<Uint8Array> {
  try {
    return await readFile(path, trustLimits.bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unreadable";
    throw fault("trust.unreadable", `SERVICE_PLUGIN_TRUST: cannot read ${path}: ${reason}`, { cause: error });
  }
}
