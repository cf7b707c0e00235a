import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ManagedHost } from "./managed-host.ts";

interface SecretForm {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The ways in which a secret of some bytes is written down. */
export function formsOf(secret: Buffer): readonly SecretForm[] {
  const base64 = secret.toString("base64").replace(/=+$/, "");
  const base64url = secret.toString("base64url");
  const hex = secret.toString("hex");
  const texts = { base64, base64url, hex, "hex in capitals": hex.toUpperCase() };
  // One without a sign that the two alphabets have apart is the same in both.
  const named = Object.entries(texts).filter(([name]) => name !== "base64url" || base64url !== base64);
  return [{ name: "raw", bytes: secret }, ...named.map(([name, text]) => ({ name, bytes: Buffer.from(text) }))];
}

/** Every place that has it: files that were written on the host, what it has in memory, its log, and the files of its server. */
export async function findSecretAround(host: ManagedHost, serverData: string, secret: Buffer): Promise<string[]> {
  // The files of the log may hold it in a compressed form.
  const log = Buffer.from(await host.shell("journalctl --no-pager --output=export --all"));
  return [
    ...findSecret(await host.layer(), secret),
    ...findSecret(host.place("run"), secret).map((place) => `/run${place}`),
    ...formsIn(log, secret).map((form) => `log: ${form}`),
    ...findSecret(serverData, secret).map((place) => `server: ${place}`),
  ].toSorted();
}

/** In which forms these bytes hold the secret. */
function formsIn(bytes: Buffer, secret: Buffer): readonly string[] {
  return formsOf(secret).flatMap(({ name, bytes: form }) => (bytes.includes(form) ? [name] : []));
}

/** Every file below a directory that holds the secret in any form: `path: form`, beginning at the directory. No link is followed. */
function findSecret(directory: string, secret: Buffer): string[] {
  const found: string[] = [];
  const walk = (at: string) => {
    for (const entry of readdirSync(join(directory, at), { withFileTypes: true })) {
      const name = join(at, entry.name);
      if (entry.isDirectory()) walk(name);
      if (entry.isFile()) found.push(...formsInFile(join(directory, name), secret).map((form) => `/${name}: ${form}`));
    }
  };
  walk("");
  return found;
}

/** What is on its way out while it is looked at holds nothing any more. */
function formsInFile(path: string, secret: Buffer): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? [] : formsIn(readFileSync(path), secret);
}
