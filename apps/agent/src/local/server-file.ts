import { decodeBase64url, encodeBase64url, findUrlFlaw } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { loadPublicKey } from "@gatehouse/keys";
import type { Vfs } from "@gatehouse/files";
import * as z from "zod";
import type { AgentPaths } from "../config.ts";
import { findJsonFile, type JsonFile, putJsonFile } from "./json-file.ts";

/** The server that root has enrolled this host with. All may read it; root alone writes it. */
export interface PinnedServer {
  readonly url: string;
  /** The server's Ed25519 key: whoever cannot sign with it is not the server, whatever certificate it shows. */
  readonly key: Uint8Array;
  /** What this host is called there: its own hash of its key. Absent until the exchange has ended well. */
  readonly nodeId?: string;
  /** Authorities that certificates are checked against in place of the usual ones, as PEM. */
  readonly ca?: string;
  /** A proxy through which alone the server can be reached. */
  readonly proxy?: string;
}

const form = z.strictObject({
  schema: z.literal(1),
  url: z.string().max(2_048),
  serverKey: z.string().length(43),
  nodeId: z.string().max(64).exactOptional(),
  ca: z
    .string()
    .max(128 * 1024)
    .exactOptional(),
  proxy: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .exactOptional(),
});

export interface ServerFilePlace {
  readonly paths: Pick<AgentPaths, "server">;
  readonly owner: number;
  readonly vfs?: Vfs | undefined;
}

export function findPinnedServer(place: ServerFilePlace): PinnedServer | undefined {
  const kept = findJsonFile(serverFile(place));
  if (kept === undefined) return undefined;
  const { schema: _, serverKey, ...rest } = kept;
  const key = decodeBase64url(serverKey);
  const flaw = findUrlFlaw(rest.url);
  if (key === undefined || flaw !== undefined) {
    throw fault("agent.file_unusable", `${place.paths.server}: ${flaw ?? "its key has characters that no key has"}`);
  }
  loadPublicKey(key, "the server's key");
  return { ...rest, key };
}

export function getPinnedServer(place: ServerFilePlace): PinnedServer {
  const found = findPinnedServer(place);
  if (found === undefined) throw fault("host.not_enrolled", `there is no ${place.paths.server}`);
  return found;
}

export async function putPinnedServer(place: ServerFilePlace, { key, ...rest }: PinnedServer): Promise<void> {
  await putJsonFile(serverFile(place), { schema: 1, serverKey: encodeBase64url(key), ...rest });
}

function serverFile({ paths, owner, vfs }: ServerFilePlace): JsonFile<z.output<typeof form>> {
  return { path: paths.server, owner, mode: 0o644, form, vfs };
}
