import { rm } from "node:fs/promises";
import { parseStrictJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import type { Surroundings } from "../command.ts";
import { configFile, findConfigFile, keepConfigFile } from "../files/config-file.ts";
import { type Cookie, isSessionCookie } from "./session-cookie.ts";

/** What `gatehouse login` keeps: whoever reads it is signed in. */
export interface KeptSession {
  readonly server: string;
  readonly cookie: Cookie;
  readonly id: string;
  readonly username: string;
  readonly expiresAt: string;
}

export type SessionFileDeps = Pick<Surroundings, "environment">;

const place = { name: "session.json", unusable } as const;

/** The session that is kept; undefined when none is. Refuses a file that others could have read or written. */
export async function findSession(deps: SessionFileDeps): Promise<KeptSession | undefined> {
  const found = await findConfigFile(deps, place);
  return found === undefined ? undefined : parseSession(found.file, found.text);
}

/** Puts the session in place of the one before it, whole or not at all. Gives the file's name. */
export async function keepSession(deps: SessionFileDeps, session: KeptSession): Promise<string> {
  return keepConfigFile(deps, place, `${JSON.stringify(session, null, 2)}\n`);
}

export async function forgetSession(deps: SessionFileDeps): Promise<void> {
  const file = configFile(deps, place);
  await rm(file, { force: true }).catch((cause: unknown) => {
    throw unusable(`${file} cannot be removed`, cause);
  });
}

function parseSession(file: string, text: string): KeptSession {
  const read = parseStrictJson(text);
  const value = read.ok ? (read.value as Partial<KeptSession> | null) : undefined;
  const { server, cookie, id, username, expiresAt } = value ?? {};
  const texts = [server, id, username, expiresAt, cookie?.name, cookie?.value];
  if (!texts.every((part) => typeof part === "string") || cookie === undefined || !isSessionCookie(cookie)) {
    throw unusable(`${file} does not hold a session`);
  }
  return value as KeptSession;
}

function unusable(detail: string, cause?: unknown): Error {
  return fault("cli.session_file_unusable", detail, { cause });
}
