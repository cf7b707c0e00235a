import { removeUserRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";
import { getUser, userArgument } from "./find-user.ts";

export const userRemove = defineCommand({
  name: "user remove",
  summary: "remove a user with all sessions and tokens",
  about: [
    "Removes a user at once, with every session and token of that user. What the user did stays in the audit log. There is no way back; to lock somebody out for a while use gatehouse user change USER --disable.",
    `${proofAbout} A token is not asked.`,
    connectionAbout,
  ],
  examples: [{ why: "Remove somebody who has left", run: "gatehouse user remove ada" }],
  arguments: { user: userArgument },
  flags: passwordFlags,
  run: async (given, surroundings) => {
    const connection = await openConnection(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { user, etag } = await getUser(connection, given.user);
    await callWithProof({ connection, passwords }, removeUserRoute, {
      params: { id: user.id },
      headers: { "If-Match": etag },
    });
    return {
      ok: true,
      lines: [`Removed ${user.username} (${user.role}), ${user.id}.`],
      json: { removed: { id: user.id, username: user.username } },
    };
  },
});
