import { gatehouse, type Settings } from "./server-under-test.ts";

export interface Verified {
  readonly code: number | null;
  readonly ok: boolean;
  readonly records: number;
  readonly head: { readonly position: number; readonly link: string };
  readonly broken?: { readonly position: number };
}

/** `gatehouse audit verify --json` on a data directory that no server uses. */
export async function verifyAudit(dataDir: string, settings: Settings = {}): Promise<Verified> {
  const { code, out, err } = await gatehouse(["audit", "verify", "--data-dir", dataDir, "--json"], settings);
  if (out === "") throw new Error(`gatehouse audit verify gave no report:\n${err}`);
  return { code, ...(JSON.parse(out) as Omit<Verified, "code">) };
}
