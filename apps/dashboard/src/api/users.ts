import type { Role } from "@gatehouse/contract";
import type { User } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { type Answer, callApi, fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { List } from "./list.ts";

export const userPages = listPages<User>({ key: ["users"], path: "/api/users", limit: 200 });

/** The first page, for the names in it. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => fetchApi<List<User>>("GET", "/api/users", { signal, query: { limit: 200 } }),
});

export interface NewUser {
  readonly username: string;
  readonly role: Role;
  readonly password: string;
}

export function createUser(wish: NewUser, key: string): Promise<User> {
  return fetchApi<User>("POST", "/api/users", { body: wish, headers: { "Idempotency-Key": key } });
}

/** With the ETag that a change has to send. */
export function readUser(id: string): Promise<Answer<User>> {
  return callApi<User>("GET", pathOf(id));
}

export function changeUser(id: string, etag: string, change: { role?: Role; disabled?: boolean }): Promise<User> {
  return fetchApi<User>("PATCH", pathOf(id), { body: change, headers: { "If-Match": etag } });
}

export function removeUser(id: string, etag: string): Promise<undefined> {
  return fetchApi<undefined>("DELETE", pathOf(id), { headers: { "If-Match": etag } });
}

function pathOf(id: string): string {
  return `/api/users/${encodeURIComponent(id)}`;
}
