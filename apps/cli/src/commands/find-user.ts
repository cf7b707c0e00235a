import { fault, parseUsername } from "@gatehouse/contract";
import { type User, userRoute, usersRoute } from "@gatehouse/contract/routes";
import type { Connection } from "../server/connection.ts";
import { unexpected } from "../server/send-request.ts";
import { listAll } from "../server/list-all.ts";

export interface FoundUser {
  readonly user: User;
  /** What a change has to send as If-Match. */
  readonly etag: string;
}

export const userArgument = { value: "USER", about: "The user's name or id." } as const;

/** Reads a user by name or id, with the version that a change must still find. */
export async function getUser(connection: Connection, nameOrId: string): Promise<FoundUser> {
  const id = idForm.test(nameOrId) ? nameOrId : await findId(connection, nameOrId);
  if (id === undefined) throw fault("user.unknown", `no user has the name ${JSON.stringify(nameOrId)}`);
  const { data, headers } = await connection.call(userRoute, { params: { id } });
  const etag = headers.get("etag");
  if (etag === null) throw unexpected(connection.server, "it sent a user without an ETag");
  return { user: data, etag };
}

const idForm = /^usr_[0-9a-hjkmnp-tv-z]{26}$/;
const mostUsers = 100_000;

async function findId(connection: Connection, typed: string): Promise<string | undefined> {
  const name = parseUsername(typed);
  if (name === undefined) return undefined;
  const { items } = await listAll(connection, usersRoute, { most: mostUsers, pageSize: 200 });
  return items.find(({ username }) => username === name)?.id;
}
