import { readFileSync } from "node:fs";
import { UsageError } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract/faults";
import { defineAgentCommand, placeOf, rootFlag } from "./agent-command.ts";

export const enrolCommand = defineAgentCommand({
  name: "enrol",
  summary: "install the agent on this host and connect it to a server",
  about: [
    "Installs this file as /usr/lib/gatehouse/gatehouse-agent with its two units, then spends the code: it names the server and the server's own key, works once and for a short time. The keys of this host are made here and never leave it.",
    "A second run puts this version in the place of an earlier one and keeps the identity, the ceiling and what is still to be sent. A new host starts as monitor: nothing can be changed on it until its root says so.",
    "At the end it prints the last digits of the host's id and four words. Compare them with what the dashboard shows for the new node.",
  ],
  examples: [
    { why: "Connect this host, with a code made on the server", run: "sudo gatehouse-agent enrol ghe1_…" },
    {
      why: "Make it a new node, for example after copying a disk",
      run: "sudo gatehouse-agent enrol ghe1_… --new-identity",
    },
  ],
  arguments: { code: { value: "CODE", about: "The code that the server made for this host.", optional: true } },
  flags: {
    "code-file": { value: "FILE", about: "Read the code from this file: then it stands in no list of processes." },
    "new-identity": { about: "Make new keys, and so a new node, even if this host has some." },
    ca: { value: "FILE", about: "Believe the certificates that this authority signs, and no others; PEM." },
    ...rootFlag,
  },
  run: (given, { verbs }) =>
    verbs.enrol({
      ...placeOf(given),
      code: readCodeArgument(given.code, given["code-file"]),
      newIdentity: given["new-identity"] === true,
      ...(given.ca === undefined ? {} : { ca: given.ca }),
    }),
});

/** A code is about 200 characters: what is longer is another file. */
const mostCharacters = 4_096;

function readCodeArgument(code: string | undefined, file: string | undefined): string {
  if ((code === undefined) === (file === undefined))
    throw new UsageError("give the code, or --code-file FILE", "enrol");
  if (file === undefined) return code as string;
  try {
    return readFileSync(file, "utf8").slice(0, mostCharacters).trim();
  } catch (cause) {
    const { code: why } = cause as NodeJS.ErrnoException;
    throw fault("enrol.code_malformed", `${file} cannot be read (${why})`, { cause });
  }
}
