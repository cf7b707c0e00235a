import type { AuditEntryView } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useMay, useWhoAmI } from "../../api/auth.ts";
import { tokensQuery } from "../../api/tokens.ts";
import { usersQuery } from "../../api/users.ts";

export type ActorNames = ReadonlyMap<string, string>;

/**
 * Names for the ids in the log. The list of users is read only by those who may; everybody else learns the names that
 * entries carry themselves, so a user who was removed keeps theirs too.
 */
export function useActorNames(entries: readonly AuditEntryView[]): ActorNames {
  const { user } = useWhoAmI();
  const users = useQuery({ ...usersQuery, enabled: useMay("user:admin") }).data;
  const tokens = useQuery(tokensQuery).data;
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { detail } of entries) learn(names, detail);
    for (const token of tokens?.items ?? []) names.set(`token:${token.id}`, token.name);
    for (const { id, username } of users?.items ?? []) names.set(id, username);
    return names.set(user.id, user.username);
  }, [entries, tokens, users, user]);
}

function learn(names: Map<string, string>, { userId, username }: AuditEntryView["detail"]): void {
  if (typeof userId === "string" && typeof username === "string") names.set(userId, username);
}
