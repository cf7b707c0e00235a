import type { Program } from "@gatehouse/command-line";

/** This command line, as the help and its failures speak of it. */
export const gatehouse = {
  name: "gatehouse",
  about: "gatehouse is the command line of the Gatehouse control plane, for operators and publishers.",
  closing: [
    "With --json a command prints one JSON document.",
    "Commands that ask a server use the session of gatehouse login, or the token in GATEHOUSE_TOKEN.",
    "Exit codes: 0 all is well, 1 the check failed or was refused, 2 the command was written wrongly.",
    "gatehouse status also has 3: it is not known how things stand.",
  ],
  defects: "with-place",
} as const satisfies Program;
