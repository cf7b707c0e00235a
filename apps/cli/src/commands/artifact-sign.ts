import { basename } from "node:path";
import { UsageError } from "@gatehouse/command-line";
import { agentArchitectures } from "@gatehouse/contract";
import { signBytes } from "@gatehouse/keys";
import { type ArtifactFacts, artifactMessage, operations } from "@gatehouse/plan";
import { withArtifactFile } from "../artifacts/artifact-file.ts";
import { factsLines } from "../artifacts/describe-facts.ts";
import { factsBeside, writeFacts } from "../artifacts/facts-file.ts";
import { defineCommand } from "../command.ts";
import { writeNew } from "../files/write-new.ts";
import { openKey } from "../plugins/open-key.ts";
import { asJson } from "../server/list-all.ts";
import { passphraseFlags } from "../terminal/passphrase.ts";
import { openPasswordSource } from "../terminal/password-source.ts";

const topic = "artifact sign";
const saidFields = { name: true, version: true, architecture: true, publisher: true } as const;
const said = operations["binary.replace"].schema.pick(saidFields);

export const artifactSign = defineCommand({
  name: topic,
  summary: "sign a program that plans may bring to hosts",
  about: [
    "Says of a file what it is: name, version, architecture and publisher, with its digest and size, and signs that. The file itself stays as it is. A host takes the program only when its root has named the publisher with this key.",
    "Sign what you have built or checked yourself: hosts run it with the rights of whoever starts it there.",
    "The key file must be yours, no link, and of mode 0600, as gatehouse plugin keygen makes it. Nothing is sent anywhere.",
  ],
  examples: [
    {
      why: "Sign a program",
      run: "gatehouse artifact sign tool --version 1.2.3 --architecture x64 --publisher acme --key acme.key",
    },
  ],
  arguments: { file: { value: "FILE", about: "The program." } },
  flags: {
    name: { value: "NAME", about: "What it is called. Without it, as the file is." },
    version: { value: "VERSION", about: "A semantic version.", required: true },
    architecture: { value: "ARCHITECTURE", about: `One of ${agentArchitectures.join(", ")}.`, required: true },
    publisher: { value: "ID", about: "Whose it is, as hosts know it.", required: true },
    key: { value: "FILE", about: "The key file.", required: true },
    out: { value: "FILE", about: "Where the facts are written. Without it, beside the program as FILE.artifact.json." },
    ...passphraseFlags,
  },
  run: async (given, { terminal }) => {
    const { file, key: keyFile, out = factsBeside(file) } = given;
    const words = readWords({ ...given, name: given.name ?? basename(file) });
    const passwords = openPasswordSource(terminal, given["passphrase-stdin"] === true, 1);
    const facts = await withArtifactFile(file, topic, async ({ sha256, size }): Promise<ArtifactFacts> => {
      const { keyId, privateKey } = await openKey(keyFile, passwords);
      const unsigned = { kind: "binary", ...words, sha256, size } as const;
      const ed25519 = signBytes(privateKey, artifactMessage(unsigned)).toBase64();
      return { ...unsigned, signature: { keyId, ed25519 } };
    });
    await writeNew(out, writeFacts(facts), 0o644);
    return {
      ok: true,
      lines: [`Signed ${file}; what is said of it stands in ${out}.`, ...factsLines(facts)],
      json: { file: out, facts: asJson(facts) },
    };
  },
});

/** Refused by its field, before the file is read. */
function readWords({ name, version, architecture, publisher }: Readonly<Record<keyof typeof said.shape, string>>) {
  const read = said.safeParse({ name, version, architecture, publisher });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(`--${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not taken"}`, topic);
}
