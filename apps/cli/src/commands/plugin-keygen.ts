import { generatePublisherKey, type KeyLock, sealKeyFile } from "@gatehouse/bundle/sign";
import { lstat } from "node:fs/promises";
import { UsageError } from "@gatehouse/command-line";
import { capabilityNames, fault, pluginIdPattern } from "@gatehouse/contract";
import { defineCommand, type Surroundings } from "../command.ts";
import { writeNew } from "../files/write-new.ts";
import { trustSnippet } from "../plugins/trust-snippet.ts";
import { askNewPassphrase, passphraseFlags } from "../terminal/passphrase.ts";
import { openPasswordSource } from "../terminal/password-source.ts";

const topic = "plugin keygen";

export const pluginKeygen = defineCommand({
  name: topic,
  summary: "make a publisher's signing key",
  about: [
    "Makes an Ed25519 key pair and writes the private key to a new file that only you can read, locked with a passphrase that is asked for twice. The private key is never shown. No file is ever written over.",
    "A trust policy with the public key stands alone on standard output, ready to be used: the operator of a server adds it to theirs. It allows ids that begin with the publisher's name and what reaches only a plugin's own things, and is not first-party; --capability allows more, one by one. Everything else goes to standard error.",
    "Keep the file in the workspace where you make releases, with a copy offline. It is no credential of the API and never belongs on a server.",
  ],
  examples: [
    {
      why: "Make a key, and a trust policy for it",
      run: "gatehouse plugin keygen --out acme.key --publisher acme > trust.json",
    },
    {
      why: "Make one for plugins whose plans write files on hosts",
      run: "gatehouse plugin keygen --out acme.key --publisher acme --capability host:file > trust.json",
    },
    {
      why: "From a program that keeps passphrases",
      run: "gatehouse plugin keygen --out acme.key --passphrase-stdin < passphrase.txt",
    },
  ],
  flags: {
    out: { value: "FILE", about: "The new key file. Without it, publisher.key." },
    publisher: { value: "ID", about: "The publisher's id in the trust policy: 2 to 63 of a-z, 0-9 and -." },
    capability: {
      value: "NAME",
      about: "What else the trust policy lets the publisher ask for.",
      choices: capabilityNames,
      list: true,
    },
    "no-passphrase": { about: "Do not lock the file: whoever reads it can sign as you." },
    ...passphraseFlags,
  },
  run: async (given, surroundings) => {
    const file = given.out ?? "publisher.key";
    const { publisher } = given;
    if (publisher !== undefined && !pluginIdPattern.test(publisher)) {
      throw new UsageError(`--publisher takes 2 to 63 of a-z, 0-9 and -; found ${JSON.stringify(publisher)}`, topic);
    }
    // Looked at before anybody thinks of a passphrase; making the file decides.
    if ((await lstat(file).catch(() => undefined)) !== undefined) {
      throw fault("cli.exists", `${file} exists already, and nothing is written over it`);
    }
    const lock = await askLock(given, file, surroundings);
    const key = generatePublisherKey();
    const bytes = await sealKeyFile(key, lock);
    try {
      await writeNew(file, bytes, 0o600);
    } finally {
      bytes.fill(0);
    }
    const { keyId, publicKey } = key;
    const policy = trustSnippet(key, publisher, given.capability);
    const locked = !("plain" in lock);
    return {
      ok: true,
      lines: JSON.stringify(policy, null, 2).split("\n"),
      notes: [
        `The key ${keyId} is in ${file}, ${locked ? "locked with the passphrase" : "NOT locked: keep it where nobody else reads"}.`,
        `  public key  ${publicKey}`,
        ...(publisher === undefined ? ["  Write the publisher's id in place of PUBLISHER in the trust policy."] : []),
      ],
      json: { file, keyId, publicKey, locked, trustPolicy: policy },
    };
  },
});

interface LockFlags {
  readonly "no-passphrase"?: true;
  readonly "passphrase-stdin"?: true;
}

async function askLock(given: LockFlags, file: string, { terminal }: Surroundings): Promise<KeyLock> {
  const fromStandardInput = given["passphrase-stdin"] === true;
  if (given["no-passphrase"] !== true) {
    return { passphrase: await askNewPassphrase(openPasswordSource(terminal, fromStandardInput, 1), file) };
  }
  if (fromStandardInput) throw new UsageError("--no-passphrase and --passphrase-stdin exclude each other", topic);
  return { plain: true };
}
