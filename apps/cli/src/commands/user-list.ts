import { count, shortTime, table } from "@gatehouse/command-line";
import { usersRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";

const most = 100_000;

export const userList = defineCommand({
  name: "user list",
  summary: "list users and their roles",
  about: ["Shows every user, the oldest first, with role and state. It needs the scope user:admin.", connectionAbout],
  examples: [{ why: "See who can sign in", run: "gatehouse user list" }],
  flags: {},
  run: async (_given, surroundings) => {
    const connection = await openConnection(surroundings);
    const { items, more } = await listAll(connection, usersRoute, { most, pageSize: 200 });
    const rows = items.map((user) => [
      user.username,
      user.role,
      user.disabled ? "disabled" : "enabled",
      shortTime(user.passwordChangedAt),
      user.id,
    ]);
    return {
      ok: true,
      lines: [
        `${count(items.length, "user")} at ${connection.server.origin}${more ? "; there are more" : ""}`,
        ...table(["name", "role", "state", "password since", "id"], rows),
      ],
      json: { items: items.map(asJson), more },
    };
  },
});
