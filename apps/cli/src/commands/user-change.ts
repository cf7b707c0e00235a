import { UsageError } from "@gatehouse/command-line";
import { roles } from "@gatehouse/contract";
import { changeUserRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callWithProof, connectionAbout, openConnection, proofAbout } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";
import { getUser, userArgument } from "./find-user.ts";

export const userChange = defineCommand({
  name: "user change",
  summary: "change a user's role, or disable or enable the user",
  about: [
    "Changes what a user may do. The user's sessions end. A new role also cuts the user's tokens to what it holds; disabling revokes them for ever. The last enabled owner stays one.",
    "If somebody else changes the user at the same moment, nothing is changed and you are told.",
    `${proofAbout} Disabling asks nobody. A token can disable and nothing else.`,
    connectionAbout,
  ],
  examples: [
    { why: "Make somebody an operator", run: "gatehouse user change ada --role operator" },
    { why: "Lock somebody out at once", run: "gatehouse user change ada --disable" },
  ],
  arguments: { user: userArgument },
  flags: {
    role: { value: "ROLE", about: "The new role.", choices: roles },
    disable: { about: "The user can no longer sign in." },
    enable: { about: "The user can sign in again." },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const { role, disable, enable } = given;
    if (disable === true && enable === true) throw new UsageError("--disable and --enable exclude each other", topic);
    if (role === undefined && disable === undefined && enable === undefined) {
      throw new UsageError("nothing to change: write --role, --disable or --enable", topic);
    }
    const disabled = disable === undefined && enable === undefined ? undefined : disable === true;
    const connection = await openConnection(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
    const { user, etag } = await getUser(connection, given.user);
    const { data } = await callWithProof({ connection, passwords }, changeUserRoute, {
      params: { id: user.id },
      headers: { "If-Match": etag },
      body: { role, disabled },
    });
    const state = data.disabled ? "disabled" : "enabled";
    return { ok: true, lines: [`${data.username} is now ${data.role} and ${state}.`], json: asJson(data) };
  },
});

const topic = "user change";
