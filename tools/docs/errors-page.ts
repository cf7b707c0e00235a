import { type FaultCode, faults } from "@gatehouse/contract";
import { statusOfKind } from "../../apps/server/src/edge/respond.ts";
import { codeSpan, generatedFrom, markdownTable } from "./markdown.ts";

/** What the first word of a code is about. A word that is not here gets a heading of its own. */
const headings: Readonly<Record<string, string>> = {
  request: "The request",
  auth: "Identity",
  events: "Live events",
  server: "The server",
  config: "Settings",
  site: "The page",
  store: "State and audit log",
  secret: "Secrets",
  blob: "Blobs",
  session: "Sessions",
  token: "Tokens",
  user: "Users",
  cli: "The command line",
};

/** docs/errors.md: every refusal, from the table that makes them. */
export function errorsPage(): string {
  const codes = Object.keys(faults) as FaultCode[];
  const topics = [...new Set(codes.map(topicOf))];
  const lines = [
    "# Errors",
    "",
    generatedFrom("packages/contract/src/faults.ts"),
    "",
    "Every refusal has a code that stays the same between versions. The API sends it as `code` in an",
    "`application/problem+json` body, beside a `detail` that says what was expected and what was found; the command line prints",
    "it, and so does a server that does not start. Programs match on the code, never on a text.",
    "",
    "A code without a status is never sent: it stops the server, or a command, before it serves anybody. Answers of 500 and more",
    "say only which request failed; the reason stands in the server's log. An answer of 429 says for how many seconds to wait, in",
    "the header `Retry-After` and as `retryAfter` in the body.",
  ];
  for (const topic of topics) {
    const rows = codes.filter((code) => topicOf(code) === topic).map(row);
    lines.push(
      "",
      `## ${headings[topic] ?? topic}`,
      "",
      ...markdownTable(["Code", "Status", "What it means, and what to do"], rows),
    );
  }
  return `${lines.join("\n")}\n`;
}

function row(code: FaultCode): string[] {
  const { kind, title, todo } = faults[code];
  return [codeSpan(code), kind === "startup" ? "" : String(statusOfKind[kind]), `**${title}.** ${todo}`];
}

function topicOf(code: FaultCode): string {
  return code.split(".")[0] ?? code;
}
