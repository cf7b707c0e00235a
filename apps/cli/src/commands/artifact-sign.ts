import { agentArchitectures, fault } from "@gatehouse/contract";
import { signBytes } from "@gatehouse/keys";
import { type ArtifactFacts, artifactMessage, elfHeadBytes, findForeignElf } from "@gatehouse/plan";
import { withArtifactFile } from "../artifacts/artifact-file.ts";
import { factsLines } from "../artifacts/describe-facts.ts";
import { factsBeside, writeFacts } from "../artifacts/facts-file.ts";
import { readSaidWords } from "../artifacts/said-words.ts";
import { defineCommand } from "../command.ts";
import { writeNew } from "../files/write-new.ts";
import { openKey } from "../plugins/open-key.ts";
import { asJson } from "../server/list-all.ts";
import { passphraseFlags } from "../terminal/passphrase.ts";
import { openPasswordSource } from "../terminal/password-source.ts";

const topic = "artifact sign";

export const artifactSign = defineCommand({
  name: topic,
  summary: "sign a program, or a release of the agent, for plans",
  about: [
    "Says of a file what it is: name, version, architecture and publisher, with its digest and size, and signs that. The file itself stays as it is. A host takes the program only when its root has named the publisher with this key.",
    "With --release it is the agent itself, and has no publisher: a host takes it when the agent that runs there was built with this key as its release key. Write the version that the program says of itself; a host keeps no agent that says another.",
    "Sign what you have built or checked yourself: hosts run it with the rights of whoever starts it there.",
    "The key file must be yours, no link, and of mode 0600, as gatehouse plugin keygen makes it. Nothing is sent anywhere.",
  ],
  examples: [
    {
      why: "Sign a program",
      run: "gatehouse artifact sign tool --version 1.2.3 --architecture x64 --publisher acme --key acme.key",
    },
    {
      why: "Sign a release of the agent",
      run: "gatehouse artifact sign agent --release --version 1.2.0 --architecture x64 --key release.key",
    },
  ],
  arguments: { file: { value: "FILE", about: "The program." } },
  flags: {
    release: { about: "It is a release of the agent: of no publisher, and always called gatehouse-agent." },
    name: { value: "NAME", about: "What it is called. Without it, as the file is." },
    version: { value: "VERSION", about: "A semantic version.", required: true },
    architecture: { value: "ARCHITECTURE", about: `One of ${agentArchitectures.join(", ")}.`, required: true },
    publisher: { value: "ID", about: "Whose it is, as hosts know it. Every program has one." },
    key: { value: "FILE", about: "The key file.", required: true },
    out: { value: "FILE", about: "Where the facts are written. Without it, beside the program as FILE.artifact.json." },
    ...passphraseFlags,
  },
  run: async (given, { terminal }) => {
    const { file, key: keyFile, out = factsBeside(file) } = given;
    const words = readSaidWords(given, topic);
    const passwords = openPasswordSource(terminal, given["passphrase-stdin"] === true, 1);
    const facts = await withArtifactFile(file, topic, async ({ sha256, size, read }): Promise<ArtifactFacts> => {
      const foreign = findForeignElf(await read(0, elfHeadBytes), words.architecture);
      // Every host would refuse it, when all others have approved it.
      if (foreign !== undefined) {
        throw fault("artifact.architecture", `${file}: expected a program for ${words.architecture}, found ${foreign}`);
      }
      const { keyId, privateKey } = await openKey(keyFile, passwords);
      const unsigned = { ...words, sha256, size };
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
