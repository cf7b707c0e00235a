import { UsageError } from "@gatehouse/command-line";
import { fault, findTokenId, isFault } from "@gatehouse/contract";
import { type RouteSpec, stepUpRoute } from "@gatehouse/contract/routes";
import type { Surroundings } from "../command.ts";
import type { PasswordSource } from "../terminal/password-source.ts";
import { callServer, type ServerAnswer, type ServerCall, type ServerCredential } from "./call-server.ts";
import { chooseServer, parseServer } from "./server-address.ts";
import { findSessionCookie } from "./session-cookie.ts";
import { findSession, type KeptSession, keepSession } from "./session-file.ts";

/** Said in the help of every command that asks a server. */
export const connectionAbout =
  "It asks the server of gatehouse login, with the session kept on this machine. A token can be used instead: GATEHOUSE_TOKEN holds it, and GATEHOUSE_SERVER names the server (http://127.0.0.1:8088 without it). A token in the environment wins over the session.";

/** Said in the help of the commands that raise power. */
export const proofAbout =
  "A session that signed in more than five minutes ago has to prove the password once more: the command asks for it, or reads it from standard input with --password-stdin.";

/** A server, and the credential to ask it with. */
export interface Connection {
  readonly server: URL;
  /** Undefined with a token. */
  readonly session: KeptSession | undefined;
  call<const Spec extends RouteSpec>(spec: Spec, call?: ServerCall<Spec>): Promise<ServerAnswer<Spec>>;
}

type Where = Pick<Surroundings, "environment">;

export async function openConnection(where: Where): Promise<Connection> {
  const token = where.environment["GATEHOUSE_TOKEN"] ?? "";
  if (token === "") return openSession(where);
  // Never repeated in a message: a wrong text in this variable may be another secret.
  if (findTokenId(token) === undefined) throw new UsageError("GATEHOUSE_TOKEN does not hold a token of Gatehouse");
  const server = chooseServer(undefined, where);
  const credential: ServerCredential = { kind: "token", token };
  return { server, session: undefined, call: (spec, call) => callServer({ server, credential }, spec, call) };
}

export type SessionConnection = Connection & { readonly session: KeptSession };

/** For what no token can do: refused before a person is asked for anything. */
export async function openOwnSession(where: Where): Promise<SessionConnection> {
  if ((where.environment["GATEHOUSE_TOKEN"] ?? "") === "") return openSession(where);
  throw fault("auth.session_required", "GATEHOUSE_TOKEN is set, and a token can never do this; unset it");
}

async function openSession(where: Where): Promise<SessionConnection> {
  let session = await getSession(where);
  const server = chooseServer(session.server, where);
  return {
    server,
    get session() {
      return session;
    },
    call: async (spec, call) => {
      const credential: ServerCredential = { kind: "session", cookie: session.cookie };
      const answer = await callServer({ server, credential }, spec, call);
      const cookie = findSessionCookie(answer.headers);
      // Proving the password gives the session a new value; the old one is already worth nothing.
      if (cookie !== undefined && cookie.value !== session.cookie.value) {
        session = { ...session, cookie };
        await keepSession(where, session);
      }
      return answer;
    },
  };
}

/** Makes a call; if the server wants a fresh proof of who asks, gives it and makes the call once more. */
export async function callWithProof<const Spec extends RouteSpec>(
  { connection, passwords }: { readonly connection: Connection; readonly passwords: PasswordSource },
  spec: Spec,
  call: ServerCall<Spec> = {},
): Promise<ServerAnswer<Spec>> {
  try {
    return await connection.call(spec, call);
  } catch (error) {
    if (connection.session === undefined || !isFault(error, "auth.step_up_required")) throw error;
  }
  const { username } = connection.session;
  const password = await passwords.next(`Password of ${username} at ${connection.server.origin}: `);
  await connection.call(stepUpRoute, { body: { password } });
  return connection.call(spec, call);
}

async function getSession(where: Where): Promise<KeptSession> {
  const session = await findSession(where);
  if (session === undefined) throw fault("cli.not_signed_in", "no session is kept, and GATEHOUSE_TOKEN is not set");
  if (!(Date.parse(session.expiresAt) > Date.now())) {
    throw fault("cli.not_signed_in", `the session at ${session.server} ended at ${session.expiresAt}`);
  }
  const named = where.environment["GATEHOUSE_SERVER"] ?? "";
  if (named !== "" && parseServer(named).origin !== parseServer(session.server).origin) {
    throw fault("cli.not_signed_in", `GATEHOUSE_SERVER is ${named}, but the session is of ${session.server}`);
  }
  return session;
}
