import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { runJson, runLine } from "./run-commands.ts";

const description = {
  id: "acme-hello",
  name: "Hello",
  version: "1.0.0",
  publisher: "acme",
  runner: "system",
  capabilities: ["log:write", "kv:read"],
};

export interface PublicKey {
  readonly id: string;
  readonly publicKey: string;
}

let directory = "";

/** A publisher's directory for each test of the file, with a description and an artifact in it. */
export function usePublisherDirectory(): void {
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "gatehouse-publisher-"));
    await describePlugin({});
    await writeFile(at("hello.mjs"), "#!/usr/bin/env node\n");
  });
  afterEach(() => rm(directory, { recursive: true }));
}

export const at = (name: string) => join(directory, name);
export const bundle = () => at("release/acme-hello");

export async function describePlugin(changes: object): Promise<void> {
  await writeFile(at("plugin.json"), JSON.stringify({ ...description, ...changes }));
}

export const pack = () => runLine(`plugin pack ${at("plugin.json")} ${at("hello.mjs")} --out ${at("release")}`);
export const sign = (key: string) => runLine(`plugin sign ${bundle()} --key ${at(key)}`);
export const verify = (more = "") => runLine(`plugin verify ${bundle()} --trust ${at("trust.json")}${more}`);

/** Makes a key that is not locked, which is quicker, and gives its entry of a trust policy. */
export async function newKey(name: string): Promise<PublicKey> {
  const { found } = await runJson(`plugin keygen --out ${at(name)} --publisher acme --no-passphrase`);
  const { keyId, publicKey } = found as { keyId: string; publicKey: string };
  return { id: keyId, publicKey };
}

export async function trust(policy: object): Promise<void> {
  await writeFile(at("trust.json"), JSON.stringify(policy));
}

export function acme(keys: readonly object[], more: object = {}) {
  return { acme: { keys, idPrefixes: ["acme-"], capabilities: ["kv:read", "log:write"], ...more } };
}

/** A bundle that is accepted. */
export async function signedBundle(): Promise<PublicKey> {
  const key = await newKey("acme.key");
  await pack();
  await sign("acme.key");
  await trust({ publishers: acme([key]) });
  return key;
}

export async function changeManifest(change: (text: string) => string): Promise<void> {
  const file = join(bundle(), "manifest.json");
  await writeFile(file, change(await readFile(file, "utf8")));
}
