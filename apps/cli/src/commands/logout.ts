import { type Report, shortTime } from "@gatehouse/command-line";
import { isFault } from "@gatehouse/contract";
import { logoutRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { callServer } from "../server/call-server.ts";
import { chooseServer } from "../server/server-address.ts";
import { findSession, forgetSession, type KeptSession } from "../server/session-file.ts";

export const logout = defineCommand({
  name: "logout",
  summary: "end the session and forget it",
  about: [
    "Ends the session of gatehouse login on its server and removes the file that kept it. The file is removed also when the server cannot be reached; the exit code is then 1, because the session goes on there until it expires.",
    "Tokens are not touched, and GATEHOUSE_TOKEN is not looked at: see gatehouse token revoke.",
  ],
  examples: [{ why: "Sign out", run: "gatehouse logout" }],
  flags: {},
  run: async (_given, surroundings) => {
    const session = await findSession(surroundings);
    if (session === undefined) return { ok: true, lines: ["Nobody was signed in."], json: { signedOut: false } };
    let problem: Error | undefined;
    try {
      const server = chooseServer(session.server, surroundings);
      await callServer({ server, credential: { kind: "session", cookie: session.cookie } }, logoutRoute);
    } catch (error) {
      // A session that the server no longer knows has ended, which is what was asked for.
      if (!isFault(error, "auth.credential_refused")) problem = error as Error;
    }
    await forgetSession(surroundings);
    return problem === undefined ? ended(session) : onlyForgotten(session, problem);
  },
});

function ended({ username, server }: KeptSession): Report {
  return { ok: true, lines: [`Signed out ${username} at ${server}.`], json: { signedOut: true, server } };
}

function onlyForgotten({ username, server, expiresAt }: KeptSession, problem: Error): Report {
  const cause = problem.cause instanceof Error ? ` (${problem.cause.message})` : "";
  const reason = `${isFault(problem) ? problem.detail : problem.message}${cause}`;
  return {
    ok: false,
    lines: [
      `The session of ${username} was forgotten here, but ${server} did not end it.`,
      `  reason   ${reason}`,
      `  it ends  by itself at ${shortTime(expiresAt)} at the latest, or with gatehouse session end`,
    ],
    json: { signedOut: false, forgotten: true, server, expiresAt, reason },
  };
}
