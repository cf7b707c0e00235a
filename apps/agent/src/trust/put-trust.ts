import type { AgentPaths } from "../config.ts";
import { openDirectory, putFile } from "../host/put-file.ts";

export interface TrustFilePlace {
  readonly paths: Pick<AgentPaths, "trust" | "settings">;
  readonly owner: number;
}

/** Everybody on the host may read whom it believes. */
export async function putTrust({ paths }: TrustFilePlace, bytes: Uint8Array): Promise<void> {
  await openDirectory(paths.settings);
  await putFile(paths.trust, new TextDecoder().decode(bytes), 0o644);
}
