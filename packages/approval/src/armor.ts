import { fault } from "@gatehouse/contract/faults";
import { readBase64 } from "./base64.ts";

/** The blob of a signature as `ssh-keygen -Y sign` prints it. Throws `signature.format` for any other text. */
export function readArmor(text: string): Uint8Array {
  const base64 = armored.exec(text.replaceAll("\r\n", "\n"))?.[1]?.replaceAll("\n", "");
  const bytes = base64 === undefined ? undefined : readBase64(base64);
  if (bytes !== undefined) return bytes;
  const found = `something else of ${text.length} characters`;
  throw fault("signature.format", `expected one armored SSH signature and nothing else, found ${found}`);
}

export function writeArmor(bytes: Uint8Array): string {
  const lines = bytes.toBase64().match(/.{1,70}/g) ?? [];
  return [begin, ...lines, end, ""].join("\n");
}

const begin = "-----BEGIN SSH SIGNATURE-----";
const end = "-----END SSH SIGNATURE-----";
/** 64 lines hold many times the longest signature that is accepted. */
const armored = new RegExp(`^${begin}\\n((?:[A-Za-z0-9+/=]{1,76}\\n){1,64})${end}\\n?$`);
