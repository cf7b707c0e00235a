import { passwordRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { openOwnSession } from "../server/connection.ts";
import { askNewPassword } from "../terminal/new-password.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

export const passwordCommand = defineCommand({
  name: "password",
  summary: "change one's own password",
  about: [
    "Asks for the current password, for the new one and for the new one again, and changes it on the server. Your other sessions end; this one goes on. Tokens go on too.",
    "A new password has 12 to 256 characters; a phrase of several words is good. Who has forgotten theirs needs gatehouse user reset-password on the server's machine.",
  ],
  examples: [
    { why: "Change it", run: "gatehouse password" },
    {
      why: "Change it from a program: three lines, current, new, new",
      run: "gatehouse password --password-stdin < lines",
    },
  ],
  flags: passwordFlags,
  run: async (given, surroundings) => {
    const connection = await openOwnSession(surroundings);
    const { username } = connection.session;
    const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 3);
    const currentPassword = await passwords.next(`Current password of ${username} at ${connection.server.origin}: `);
    const newPassword = await askNewPassword(passwords, username, true);
    await connection.call(passwordRoute, { body: { currentPassword, newPassword } });
    return {
      ok: true,
      lines: [`The password of ${username} is changed; other sessions have ended.`],
      json: { username },
    };
  },
});
