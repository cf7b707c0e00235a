import { shortTime, table, UsageError } from "@gatehouse/command-line";
import { type AuditEntryView, auditRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { parseTimeOption } from "../parse-time-option.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const topic = "audit search";
const most = 10_000;

export const auditSearch = defineCommand({
  name: "audit search",
  summary: "search the audit log of a running server",
  about: [
    "Shows who did what to which thing, the newest first; times are UTC. All conditions hold together, and without any the newest entries are shown. It needs the scope audit:read.",
    connectionAbout,
  ],
  examples: [
    { why: "See what happened last", run: "gatehouse audit search --limit 20" },
    {
      why: "See everything that was done with users on one day",
      run: "gatehouse audit search --action user. --from 2026-11-15 --to 2026-11-16",
    },
    { why: "Find entries by words, with their details", run: 'gatehouse audit search --text "ada curl" --json' },
  ],
  flags: {
    actor: { value: "ACTOR", about: "Who did it: a user's id, token:ID, node:ID, system, cli or anonymous." },
    action: { value: "ACTION", about: "What was done: auth.signed_in, or a noun with a dot for all of it: user." },
    subject: { value: "SUBJECT", about: "What it was done to: user/ID, session/ID." },
    from: { value: "TIME", about: "Not before: 2026-11-15 (its beginning in UTC), or 2026-11-15T08:30:00Z." },
    to: { value: "TIME", about: "Before." },
    text: { value: "WORDS", about: "Each of them must begin some word of the entry." },
    limit: { value: "N", about: `At most so many entries, 1 to ${most}. Without it, 50.` },
  },
  run: async (given, surroundings) => {
    const { actor, action, subject, text } = given;
    const query = {
      actor,
      action,
      subject,
      text,
      from: parseMoment("--from", given.from),
      to: parseMoment("--to", given.to),
    };
    const limit = parseLimit(given.limit ?? "50");
    const connection = await openConnection(surroundings);
    const { items, more } = await listAll(connection, auditRoute, { most: limit, pageSize: 200, query });
    const rest = more ? "; there are older ones: raise --limit, or narrow the search" : "";
    return {
      ok: true,
      lines: [
        `${items.length} ${items.length === 1 ? "entry" : "entries"}${rest}`,
        ...(items.length === 0
          ? []
          : table(["position", "time", "actor", "action", "subject", "outcome", "address"], items.map(rowOf))),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});

function rowOf(entry: AuditEntryView): string[] {
  const { position, at, actor, action, subject, outcome, address } = entry;
  return [String(position), shortTime(at), actor, action, subject, outcome, address ?? "-"];
}

function parseLimit(text: string): number {
  const limit = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : Number.NaN;
  if (limit <= most) return limit;
  throw new UsageError(`--limit must be a whole number from 1 to ${most}; found ${JSON.stringify(text)}`, topic);
}

function parseMoment(option: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(parseTimeOption(text, option, topic)).toISOString();
}
