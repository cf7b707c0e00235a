import root from "../../../../package.json" with { type: "json" };
import { defineCommand } from "../command.ts";

export const version = defineCommand({
  name: "version",
  summary: "say which version this is",
  about: [
    "Prints the version of this command line. A server and its command line are released together; GET /api/version gives the server's.",
  ],
  examples: [
    { why: "See it", run: "gatehouse version" },
    { why: "Use it in a script", run: "gatehouse version --json" },
  ],
  flags: {},
  run: async () => ({
    ok: true,
    lines: [`gatehouse ${root.version}`, `node ${process.versions.node}`],
    json: { version: root.version, node: process.versions.node },
  }),
});
