import { count } from "@gatehouse/command-line";
import { defineCommand } from "../command.ts";
import { askNewPassword } from "../terminal/new-password.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";
import { checkOwner, directoryFlags, findDataDirectory, loadStore } from "./data-directory.ts";
import { userArgument } from "./find-user.ts";

const topic = "user reset-password";

export const userResetPassword = defineCommand({
  name: topic,
  summary: "set a forgotten password in the data files of a stopped server",
  about: [
    "For when nobody can sign in any more who could help: it asks for a new password and writes it into the data directory, where whoever has the files is in charge anyway. A running server holds the directory: stop it first.",
    "The user's sessions end with the same entry of the audit log (user.password_reset, by cli). Tokens go on; revoke them if the old password was stolen and not forgotten. A disabled user stays disabled without --enable.",
    "Run it as the user the server runs as, or the server could not read what it writes.",
  ],
  examples: [
    { why: "Let the owner in again", run: "gatehouse user reset-password admin --data-dir /data" },
    {
      why: "From a program, and also enable the user",
      run: "gatehouse user reset-password admin --enable --password-stdin < password.txt",
    },
  ],
  arguments: { user: userArgument },
  flags: { ...directoryFlags, enable: { about: "Also enable the user, if disabled." }, ...passwordFlags },
  run: async (given, surroundings) => {
    const where = await findDataDirectory(given, surroundings);
    await checkOwner(where.directory, topic);
    const [{ openOfflineUsers }, { openFileStore, openingEntries }] = [
      await import("../offline-users.ts"),
      await loadStore(),
    ];
    const store = await openFileStore(where);
    try {
      const users = await openOfflineUsers({ store, opening: (by) => openingEntries(store, by), now: Date.now });
      const found = await users.get(given.user);
      const passwords = openPasswordSource(surroundings.terminal, given["password-stdin"] === true, 1);
      const password = await askNewPassword(passwords, found.username);
      const { ended, disabled } = await users.resetPassword(found.id, password, { enable: given.enable === true });
      const { id, username } = found;
      return {
        ok: true,
        lines: [
          `The password of ${username} is set; ${count(ended.length, "session")} ended.`,
          ...(disabled ? ["  The user is disabled and cannot sign in: run it again with --enable."] : []),
        ],
        json: { user: { id, username, disabled }, endedSessions: [...ended] },
      };
    } finally {
      await store.close();
    }
  },
});
