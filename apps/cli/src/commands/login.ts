import { shortTime, UsageError } from "@gatehouse/command-line";
import { loginRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callServer } from "../server/call-server.ts";
import { unexpected } from "../server/send-request.ts";
import { chooseServer } from "../server/server-address.ts";
import { findSessionCookie } from "../server/session-cookie.ts";
import { keepSession } from "../server/session-file.ts";
import { openPasswordSource, passwordFlags } from "../terminal/password-source.ts";

export const login = defineCommand({
  name: "login",
  summary: "sign in to a server and keep the session",
  about: [
    "Asks for the password on the terminal, without showing it, and keeps the session for the commands that follow: in gatehouse/session.json below $XDG_CONFIG_HOME or ~/.config, readable by you alone. The password itself is kept nowhere.",
    "A session ends after 12 hours, after 2 hours without use, or with gatehouse logout. Programs use a token instead: see gatehouse token issue.",
    "Plain http is accepted for loopback addresses only. A certificate of your own authority is accepted when NODE_EXTRA_CA_CERTS names that authority's file.",
  ],
  examples: [
    { why: "Sign in to the server on this machine", run: "gatehouse login" },
    { why: "Sign in to another one", run: "gatehouse login --server https://gatehouse.example.com --username ada" },
    {
      why: "Take the password from a program that keeps passwords",
      run: "gatehouse login --username ada --password-stdin < password.txt",
    },
  ],
  flags: {
    server: {
      value: "URL",
      about: "The server. Without it, GATEHOUSE_SERVER, else http://127.0.0.1:8088.",
    },
    username: { value: "NAME", about: "Who signs in. Without it, you are asked." },
    ...passwordFlags,
  },
  run: async (given, surroundings) => {
    const { terminal, environment } = surroundings;
    const server = chooseServer(given.server, surroundings);
    const fromStandardInput = given["password-stdin"] === true;
    if (fromStandardInput && given.username === undefined) {
      throw new UsageError("--password-stdin needs --username=NAME", "login");
    }
    const username = given.username ?? (await terminal.ask("User name: "));
    if (username === "") throw new UsageError("a user name is needed", "login");
    const passwords = openPasswordSource(terminal, fromStandardInput, 1);
    const password = await passwords.next(`Password of ${username} at ${server.origin}: `);

    const { data, headers } = await callServer({ server }, loginRoute, { body: { username, password } });
    const cookie = findSessionCookie(headers);
    if (cookie === undefined) throw unexpected(server, "it set no session cookie");
    const { user, credential } = data;
    const file = await keepSession(surroundings, {
      server: server.origin,
      cookie,
      id: credential.id,
      username: user.username,
      expiresAt: credential.expiresAt,
    });
    const notes = environment["GATEHOUSE_TOKEN"]
      ? ["GATEHOUSE_TOKEN is set: commands use that token, not this session, until it is unset."]
      : [];
    return {
      ok: true,
      lines: [
        `Signed in as ${user.username} (${user.role}) at ${server.origin} until ${shortTime(credential.expiresAt)}.`,
      ],
      notes,
      json: { server: server.origin, user, sessionId: credential.id, expiresAt: credential.expiresAt, file },
    };
  },
});
