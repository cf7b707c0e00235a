import type {
  changeUserRoute,
  createUserRoute,
  removeUserRoute,
  User,
  userRoute,
  usersRoute,
} from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { type Answer, callApi, fetchApi } from "./client.ts";
import { listPages } from "./list-pages.ts";
import type { CallOf } from "./route-call.ts";

export type NewUser = CallOf<typeof createUserRoute>["body"];
export type UserChange = CallOf<typeof changeUserRoute>["body"];

const most = "200";

export const userPages = listPages(["users"], (cursor, signal) =>
  fetchApi<typeof usersRoute>("GET", "/api/users", { signal, query: { limit: most, cursor } }),
);

/** The first page, for the names in it. */
export const usersQuery = queryOptions({
  queryKey: ["users"],
  queryFn: ({ signal }) => fetchApi<typeof usersRoute>("GET", "/api/users", { signal, query: { limit: most } }),
});

export function createUser(wish: NewUser, key: string): Promise<User> {
  return fetchApi<typeof createUserRoute>("POST", "/api/users", { body: wish, headers: { "idempotency-key": key } });
}

/** With the ETag that a change has to send. */
export function readUser(id: string): Promise<Answer<User>> {
  return callApi<typeof userRoute>("GET", "/api/users/:id", { params: { id } });
}

export function changeUser(id: string, etag: string, change: UserChange): Promise<User> {
  return fetchApi<typeof changeUserRoute>("PATCH", "/api/users/:id", {
    params: { id },
    headers: { "if-match": etag },
    body: change,
  });
}

export function removeUser(id: string, etag: string): Promise<undefined> {
  return fetchApi<typeof removeUserRoute>("DELETE", "/api/users/:id", {
    params: { id },
    headers: { "if-match": etag },
  });
}
