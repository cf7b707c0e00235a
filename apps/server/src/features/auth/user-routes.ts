import { fault } from "@gatehouse/contract";
import { changeUserRoute, createUserRoute, removeUserRoute, userRoute, usersRoute } from "@gatehouse/contract/routes";
import { type UserRecord, userKind } from "@gatehouse/contract/records";
import type { Store, StoredRecord } from "@gatehouse/store";
import type { Decide } from "@gatehouse/store/decide";
import { recordReply, type Route, route, versionOfTag } from "../../platform/route/index.ts";
import { changeUser, removeUser } from "./change-user.ts";
import { createUser } from "./create-user.ts";
import { findUser, type Passwords, userKey } from "@gatehouse/identity";
import { viewUser } from "./views.ts";

export interface UserRoutesDeps {
  readonly store: Pick<Store, "get" | "list" | "commit">;
  readonly passwords: Pick<Passwords, "hash">;
  readonly decide: Decide;
}

export function userRoutes(deps: UserRoutesDeps): readonly Route[] {
  return [
    route(usersRoute, async ({ query }) => {
      const limit = Number(query.limit ?? 50);
      const after = query.cursor === undefined ? {} : { after: userKey(query.cursor) };
      const found = await deps.store.list(userKind, { limit: limit + 1, ...after });
      const items = found.slice(0, limit).map(({ value }) => viewUser(value));
      return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
    }),
    route(createUserRoute, async ({ principal, body, headers, request }) => {
      return reply(201, await createUser(deps, principal, body, request, headers["idempotency-key"]));
    }),
    route(userRoute, async ({ params }) => {
      const user = await findUser(deps.store, params.id);
      if (user === undefined) throw fault("user.unknown", `there is no user ${params.id}`);
      return reply(200, user);
    }),
    route(changeUserRoute, async ({ principal, params, headers, body, request }) => {
      const target = { id: params.id, version: versionOfTag(headers["if-match"]) };
      return reply(200, await changeUser(deps, principal, target, body, request));
    }),
    route(removeUserRoute, async ({ principal, params, headers, request }) => {
      await removeUser(deps, principal, { id: params.id, version: versionOfTag(headers["if-match"]) }, request);
      return undefined;
    }),
  ];
}

function reply(status: number, user: StoredRecord<UserRecord>) {
  return recordReply(status, viewUser(user.value), user.version);
}
