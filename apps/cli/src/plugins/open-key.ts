import { isLocked, openKeyFile, type PublisherKey } from "@gatehouse/bundle/sign";
import { readPrivateFile } from "../files/read-private-file.ts";
import type { PasswordSource } from "../terminal/password-source.ts";

/** A publisher's key from its file; its passphrase is asked for where it has one. */
export async function openKey(file: string, passwords: PasswordSource): Promise<PublisherKey> {
  const bytes = await readPrivateFile(file);
  try {
    if (!isLocked(bytes)) return await openKeyFile(bytes);
    return await openKeyFile(bytes, await passwords.next(`Passphrase of ${file}: `));
  } finally {
    bytes.fill(0);
  }
}
