import { findUser, readCredentials, tokenKey } from "@gatehouse/identity";
import { type TokenRecord, tokenKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { listRecords } from "@gatehouse/store/decide";
import type { Principal } from "../../platform/route/index.ts";

export interface EndingTokenView {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string; readonly username: string };
  readonly expiresAt: number;
}

/** Who asks, and whether they may see every node: tokens of others may be for any. */
export interface EndingTokensAsker {
  readonly principal: Principal;
  readonly isEvery: boolean;
}

/** What somebody may see of the tokens that end in a time and were not revoked, the first to end first. */
export async function listEndingTokens(
  store: Pick<Store, "get" | "list">,
  asker: EndingTokensAsker,
  { after, before }: { readonly after: number; readonly before: number },
): Promise<readonly EndingTokenView[]> {
  const ending = (await readVisible(store, asker))
    .filter(({ revokedAt, expiresAt }) => revokedAt === undefined && expiresAt > after && expiresAt <= before)
    .toSorted((a, b) => a.expiresAt - b.expiresAt);
  const users = new Map<string, string>();
  for (const { userId } of ending) {
    if (!users.has(userId)) users.set(userId, (await findUser(store, userId))?.value.username ?? "");
  }
  return ending.map(({ id, name, userId, expiresAt }) => {
    return { id, name, expiresAt, owner: { id: userId, username: users.get(userId) ?? "" } };
  });
}

/** A token itself, a session its user's, and the scope token:admin everybody's, as in the list of tokens. */
async function readVisible(
  store: Pick<Store, "get" | "list">,
  { principal, isEvery }: EndingTokensAsker,
): Promise<readonly TokenRecord[]> {
  const { id, credential, scopes } = principal;
  if (isEvery && scopes.has("token:admin")) return (await listRecords(store, tokenKind)).map(({ value }) => value);
  const own = credential.kind === "token" ? [credential] : (await readCredentials(store, id)).value.tokens;
  const found = await Promise.all(own.map((token) => store.get(tokenKey(token.id))));
  return found.flatMap((token) => (token === undefined ? [] : [token.value]));
}
