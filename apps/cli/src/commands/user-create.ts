import { UsageError } from "@gatehouse/command-line";
import { parseUsername, roles } from "@gatehouse/contract";
import { createUserRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callWithProof, openOwnSession } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";
import { askNewPassword } from "../terminal/new-password.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

export const userCreate = defineCommand({
  name: "user create",
  summary: "create a user with a first password",
  about: [
    "Asks for the first password of the new user, twice, and creates the user. Hand the password over in person and have it changed: gatehouse password.",
    "It needs a session with the scope user:admin whose password was proved in the last five minutes: if that is longer ago, you are asked for yours. With --password-stdin the new user's password stands on the first line and yours on the second, which is used only if it is wanted.",
  ],
  examples: [
    { why: "Create somebody who may approve plans", run: "gatehouse user create --username ada --role approver" },
    {
      why: "From a program: the new password, then one's own",
      run: "gatehouse user create --username ada --role viewer --password-stdin < lines",
    },
  ],
  flags: {
    username: { value: "NAME", about: "1 to 63 of a-z 0-9 . _ -, beginning with a letter or digit.", required: true },
    role: { value: "ROLE", about: "What the user may do.", choices: roles, required: true },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const username = parseUsername(given.username);
    if (username === undefined) {
      throw new UsageError(
        "--username takes 1 to 63 of a-z 0-9 . _ - and begins with a letter or digit",
        "user create",
      );
    }
    const connection = await openOwnSession(surroundings);
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 2);
    const password = await askNewPassword(passwords, username);
    const { data } = await callWithProof({ connection, passwords }, createUserRoute, {
      body: { username, role: given.role, password },
    });
    return { ok: true, lines: [`Created ${data.username} (${data.role}), ${data.id}.`], json: asJson(data) };
  },
});
