import { X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
import { fault } from "@gatehouse/contract";

export interface AuthoritiesDeps {
  /** SERVICE_EGRESS_CA_FILE; without it the usual authorities are believed, and no other. */
  readonly file: string | undefined;
  /** Reads a whole file of at most so many bytes; says why not in one line. */
  readonly readFile: (path: string, most: number) => Promise<Uint8Array>;
}

const mostBytes = 1024 * 1024;
const block = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g;

/**
 * The authorities that are believed when they vouch for a host of a setting: those of the file beside the usual ones. Undefined: the
 * usual ones. A file that cannot be used stops the start.
 */
export async function readAuthorities({ file, readFile }: AuthoritiesDeps): Promise<readonly string[] | undefined> {
  if (file === undefined) return undefined;
  const refuse = (why: string, cause?: unknown) =>
    fault("config.invalid", `SERVICE_EGRESS_CA_FILE: ${file}: ${why}`, {
      fields: { setting: "SERVICE_EGRESS_CA_FILE" },
      cause,
    });
  const bytes = await readFile(file, mostBytes).catch((error: unknown) => {
    throw refuse(error instanceof Error ? error.message : "it cannot be read", error);
  });
  const own = Buffer.from(bytes).toString("latin1").match(block) ?? [];
  if (own.length === 0) throw refuse("it holds no certificate; write those of your authority into it, as PEM");
  for (const [n, certificate] of own.entries()) {
    try {
      void new X509Certificate(certificate);
    } catch (error) {
      throw refuse(`its certificate ${n + 1} cannot be read`, error);
    }
  }
  return [...getCACertificates("default"), ...own];
}
