import { defineCommand } from "../command.ts";
import { readOwnProgram } from "../own-program.ts";

export const version = defineCommand({
  name: "version",
  summary: "say which version this is",
  about: [
    "Prints the version of this command line and, where it is one file, the SHA-256 of that file: compare it with the release notes before you approve anything with it. A server and its command line are released together; GET /api/version gives the server's.",
  ],
  examples: [
    { why: "See it", run: "gatehouse version" },
    { why: "Use it in a script", run: "gatehouse version --json" },
  ],
  flags: {},
  run: async () => {
    const { version: number, sha256 } = readOwnProgram();
    const digest = sha256 === null ? [] : [`sha256 ${sha256}`];
    const node = process.versions.node;
    return {
      ok: true,
      lines: [`gatehouse ${number}`, ...digest, `node ${node}`],
      json: { version: number, sha256, node },
    };
  },
});
