import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { fault } from "@gatehouse/contract/faults";

/** The certificates in a file that root names, as they stand there; what is none is told before anything depends on it. */
export function readAuthority(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    const found = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? [];
    for (const each of found) void new X509Certificate(each);
    if (found.length > 0) return `${found.join("\n")}\n`;
  } catch (cause) {
    throw fault("agent.file_unusable", `${path} cannot be read as certificates`, { cause });
  }
  throw fault("agent.file_unusable", `${path} holds no certificate`);
}
