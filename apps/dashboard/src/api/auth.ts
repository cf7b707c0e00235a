import type { Scope } from "@gatehouse/contract";
import type { loginRoute, logoutRoute, passwordRoute, stepUpRoute, WhoAmI } from "@gatehouse/contract/routes";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { fetchApi } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { takeWho } from "./who-at-start.ts";

export const whoAmIQuery = queryOptions({
  queryKey: ["whoami"],
  queryFn: ({ signal }) => takeWho(signal),
  staleTime: 60_000,
  retry: false,
});

/** Whose page it is. Only below a route that has loaded it. */
export function useWhoAmI(): WhoAmI {
  return useSuspenseQuery(whoAmIQuery).data;
}

export function useMay(scope: Scope): boolean {
  return useWhoAmI().scopes.includes(scope);
}

export async function signIn(username: string, password: string): Promise<WhoAmI> {
  const who = await fetchApi<typeof loginRoute>("POST", "/api/auth/login", {
    body: { username, password },
    asksNobody: true,
  });
  // Another person must not see what the last one read.
  const before = queryClient.getQueryData(whoAmIQuery.queryKey);
  if (before?.user.id !== who.user.id) queryClient.clear();
  queryClient.setQueryData(whoAmIQuery.queryKey, who);
  return who;
}

export async function signOut(): Promise<void> {
  await fetchApi<typeof logoutRoute>("POST", "/api/auth/logout", { asksNobody: true });
  queryClient.clear();
}

export async function stepUp(password: string): Promise<WhoAmI> {
  const who = await fetchApi<typeof stepUpRoute>("POST", "/api/auth/step-up", { body: { password }, asksNobody: true });
  queryClient.setQueryData(whoAmIQuery.queryKey, who);
  return who;
}

export function changePassword(currentPassword: string, newPassword: string): Promise<undefined> {
  return fetchApi<typeof passwordRoute>("POST", "/api/auth/password", { body: { currentPassword, newPassword } });
}
