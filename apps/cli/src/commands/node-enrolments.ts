import { count, shortTime, table } from "@gatehouse/command-line";
import { type Enrolment, enrolmentsRoute, revokeEnrolmentRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const most = 10_000;

export const nodeEnrolments = defineCommand({
  name: "node enrolments",
  summary: "list enrolment codes, or revoke one",
  about: [
    "Shows the codes of gatehouse node enrol that are open or ended within a day: who made them, until when, and which node used them. Codes themselves are never shown again. It needs the scope node:admin.",
    "With --revoke a code that was not used becomes worthless at once. One that was used is refused (enrol.code_used): if you did not use it, revoke the node.",
    connectionAbout,
  ],
  examples: [
    { why: "See which codes are open", run: "gatehouse node enrolments" },
    {
      why: "Make one worthless",
      run: "gatehouse node enrolments --revoke 7c1f0b5d9e3a4862b7d0c5e1f2a3948b",
    },
  ],
  flags: { revoke: { value: "ID", about: "Revoke this code instead of listing them." } },
  run: async ({ revoke }, surroundings) => {
    const connection = await openConnection(surroundings);
    if (revoke !== undefined) {
      await connection.call(revokeEnrolmentRoute, { params: { id: revoke } });
      return { ok: true, lines: [`The enrolment code ${revoke} is revoked.`], json: { revoked: revoke } };
    }
    const { items, more } = await listAll(connection, enrolmentsRoute, { most, pageSize: 200 });
    const open = items.filter(({ state }) => state === "open").length;
    return {
      ok: true,
      lines: [
        `${count(items.length, "enrolment code")}, ${open} open, at ${connection.server.origin}${more ? "; there are more" : ""}`,
        ...(items.length === 0
          ? []
          : table(["id", "state", "until", "name", "tags", "made by", "node"], rowsOf(items))),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});

/** The newest first: what somebody looks for was made a moment ago. */
function rowsOf(items: readonly Enrolment[]): string[][] {
  return items
    .toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
    .map(({ id, state, expiresAt, name, tags, createdBy, nodeId }) => [
      id,
      state,
      shortTime(expiresAt),
      name ?? "-",
      tags.join(" ") || "-",
      createdBy,
      nodeId ?? "-",
    ]);
}
