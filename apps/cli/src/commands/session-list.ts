import { count, shortTime, table } from "@gatehouse/command-line";
import { sessionsRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { openOwnSession } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

export const sessionList = defineCommand({
  name: "session list",
  summary: "list one's own sessions",
  about: [
    "Shows every session you have on the server, in browsers and on command lines: from where, since when and until when. The one that asks is marked with a star.",
    "Use it when you suspect that somebody else is signed in as you, and end what you do not know with gatehouse session end.",
  ],
  examples: [{ why: "See where you are signed in", run: "gatehouse session list" }],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openOwnSession(surroundings);
    const { items } = await listAll(connection, sessionsRoute, { most: 1_000, pageSize: 100 });
    const rows = items.map((session) => [
      `${session.current ? "*" : " "} ${session.id}`,
      shortTime(session.createdAt),
      shortTime(session.lastUsedAt),
      shortTime(session.expiresAt),
      session.address,
      session.userAgent,
    ]);
    return {
      ok: true,
      lines: [
        `${count(items.length, "session")} of ${connection.session.username} at ${connection.server.origin}`,
        ...table(["  id", "since", "last used", "until", "address", "program"], rows),
      ],
      json: { items: items.map(asJson) },
    };
  },
});
