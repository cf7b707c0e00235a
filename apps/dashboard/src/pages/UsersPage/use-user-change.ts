import type { Role } from "@gatehouse/contract";
import type { User } from "@gatehouse/contract/routes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { isApiError } from "../../api/api-error.ts";
import { changeUser, readUser, removeUser, usersQuery } from "../../api/users.ts";

export type UserMove = { readonly role: Role } | { readonly disabled: boolean } | "remove";

/**
 * A user as read when the sheet was opened, and changes to exactly that version. A live event does not renew it: a change
 * is made to what the person saw, or refused as stale and shown again.
 */
export function useUserChange(id: string, onGone: () => void) {
  const client = useQueryClient();
  const key = ["user-record", id] as const;
  const read = useQuery({
    queryKey: key,
    queryFn: () => readUser(id),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const change = useMutation({
    mutationFn: async (move: UserMove): Promise<User | undefined> => {
      const etag = read.data?.etag;
      if (etag === undefined) throw new Error("the user was read without an ETag");
      if (move === "remove") return removeUser(id, etag);
      return changeUser(id, etag, move);
    },
    onSuccess: (_user, move) => {
      if (move === "remove") onGone();
    },
    onError: (error) => {
      if (isApiError(error, "user.unknown")) onGone();
    },
    onSettled: (_user, error, move) => {
      void client.invalidateQueries({ queryKey: usersQuery.queryKey });
      if (move !== "remove" || error !== null) void client.invalidateQueries({ queryKey: key });
    },
  });
  return { read, change, isStale: isApiError(change.error, "request.stale") };
}
