import { shortTime } from "@gatehouse/command-line";
import { scopeNames, tokenClasses } from "@gatehouse/contract";
import { issueTokenRoute, tokenLifetimes } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { parseDuration } from "../parse-duration.ts";
import { callWithProof, openOwnSession } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

export const tokenIssue = defineCommand({
  name: "token issue",
  summary: "issue a token for a program",
  about: [
    "Prints the token alone on standard output, this once; everything else goes to standard error, so a script can take it. The server keeps only a digest of it.",
    "Give a token the scopes it needs, the shortest life that serves, and the nodes it is for. It can never do more than you can at the moment it is used. The class assistant is for programs that talk to a language model: it reads and plans, and no scope lets it approve, apply or open a terminal.",
    "It needs a session whose password was proved in the last five minutes: if that is longer ago, you are asked for it. A token can never issue a token.",
  ],
  examples: [
    {
      why: "A token for a day that may read the audit log",
      run: "gatehouse token issue --name report --scope audit:read",
    },
    {
      why: "Keep one in a variable of a script",
      run: "GATEHOUSE_TOKEN=$(gatehouse token issue --name deploy --scope plugin:admin --expires 1h)",
    },
    {
      why: "An assistant that may look at one node",
      run: "gatehouse token issue --name helper --class assistant --scope node:read,plan:read --node NODE",
    },
  ],
  flags: {
    name: { value: "NAME", about: "What the token is for, up to 80 characters.", required: true },
    scope: {
      value: "SCOPE",
      about: "What it may do; several with commas or by repeating the option.",
      choices: scopeNames,
      list: true,
      required: true,
    },
    class: { value: "CLASS", about: "What uses it. Without it, automation.", choices: tokenClasses },
    expires: { value: "TIME", about: "How long it lives, from 1m to 90d: 30m, 24h, 7d. Without it, 24h." },
    node: { value: "ID", about: "A node it may see or touch; several as with --scope. Without it, all.", list: true },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const expiresInSeconds = given.expires === undefined ? undefined : lifetime(given.expires);
    const connection = await openOwnSession(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { data } = await callWithProof({ connection, passwords }, issueTokenRoute, {
      body: {
        name: given.name,
        scopes: [...new Set(given.scope)],
        class: given.class,
        nodes: given.node === undefined ? undefined : [...new Set(given.node)],
        expiresInSeconds,
      },
    });
    const { token, name, id, scopes, nodes, expiresAt } = data;
    return {
      ok: true,
      lines: [token],
      notes: [
        `The token ${JSON.stringify(name)} (${id}, ${data.class}) is shown this once.`,
        `  scopes  ${scopes.join(" ")}`,
        `  nodes   ${nodes === null ? "all" : nodes.join(" ")}`,
        `  until   ${shortTime(expiresAt)}`,
        `  revoke  gatehouse token revoke ${id}`,
      ],
      json: asJson(data),
    };
  },
});

function lifetime(text: string): number {
  const { least, most } = tokenLifetimes;
  return parseDuration(text, { option: "--expires", topic: "token issue", least, most });
}
