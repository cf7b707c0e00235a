import { UsageError } from "@gatehouse/command-line";
import { endOtherSessionsRoute, endSessionRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { openOwnSession } from "../server/connection.ts";
import { forgetSession } from "../server/session-file.ts";

export const sessionEnd = defineCommand({
  name: "session end",
  summary: "end one of one's own sessions, or all others",
  about: [
    "Ends a session on the server at once: whoever uses it is signed out. Only your own sessions can be ended; an owner ends those of others by disabling the user.",
  ],
  examples: [
    { why: "End one session", run: "gatehouse session end ses_01jc8w4q2r7v9x3y5z6a8b0c1d" },
    { why: "Sign out everywhere but here", run: "gatehouse session end --others" },
  ],
  arguments: { id: { value: "ID", about: "The session, as gatehouse session list shows it.", optional: true } },
  flags: { others: { about: "End all of one's sessions but the one that asks." } },
  run: async ({ id, others }, surroundings) => {
    if ((id === undefined) === (others === undefined)) {
      throw new UsageError("name one session by its ID, or write --others", "session end");
    }
    const connection = await openOwnSession(surroundings);
    if (id === undefined) {
      await connection.call(endOtherSessionsRoute);
      return { ok: true, lines: ["All other sessions have ended."], json: { ended: "others" } };
    }
    await connection.call(endSessionRoute, { params: { id } });
    const isOwn = id === connection.session.id;
    if (isOwn) await forgetSession(surroundings);
    return {
      ok: true,
      lines: [`The session ${id} has ended${isOwn ? "; it was this one, so you are signed out" : ""}.`],
      json: { ended: id },
    };
  },
});
