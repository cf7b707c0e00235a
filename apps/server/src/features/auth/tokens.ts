import { fault } from "@gatehouse/contract";
import type { Token } from "@gatehouse/contract/routes";
import { type TokenRecord, tokenKind } from "@gatehouse/contract/records";
import type { Store, StoredRecord } from "@gatehouse/store";
import { type Decide, put, type Reads } from "@gatehouse/store/decide";
import { actorOf, entryOf, type NodeFilter, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { findUser, readCredentials, tokenKey } from "@gatehouse/identity";
import { requireRights, requireScope } from "./rights.ts";
import type { Uses } from "./uses.ts";
import { iso } from "./views.ts";

export interface TokensDeps {
  readonly store: Pick<Store, "get" | "list">;
  readonly uses: Pick<Uses, "find">;
  readonly decide: Decide;
}

/** Who asks about tokens. Tokens of others may be for any node: whoever is limited to some sees and ends only itself. */
export interface TokenAsker {
  readonly principal: Principal;
  readonly nodes: Pick<NodeFilter, "requireEvery">;
}

/**
 * What somebody may see of the tokens: a token itself, a session its user's, and the scope token:admin everybody's.
 * In the order of their ids, after `cursor`.
 */
export async function listTokens(
  deps: TokensDeps,
  asker: TokenAsker,
  page: { readonly owner?: string | undefined; readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: Token[]; nextCursor: string | null }> {
  const found = await findVisible(deps, asker, page);
  const shown = found.slice(0, page.limit).map(({ value }) => value);
  // All at once, before each of them asks for its own.
  await deps.uses.find(shown.map(({ id }) => id));
  const items = await Promise.all(shown.map((token) => viewToken(deps, token)));
  return { items, nextCursor: found.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}

async function findVisible(
  deps: TokensDeps,
  { principal, nodes }: TokenAsker,
  page: { readonly owner?: string | undefined; readonly cursor?: string | undefined; readonly limit: number },
): Promise<readonly StoredRecord<TokenRecord>[]> {
  const isAdmin = principal.scopes.has("token:admin");
  const isToken = principal.credential.kind === "token";
  const asksForOthers = page.owner === undefined ? isAdmin : page.owner !== principal.id;
  if (asksForOthers || (isToken && isAdmin)) {
    requireScope(principal.scopes, "token:admin");
    nodes.requireEvery();
  }
  if (asksForOthers && page.owner === undefined) {
    const after = page.cursor === undefined ? {} : { after: tokenKey(page.cursor) };
    return deps.store.list(tokenKind, { limit: page.limit + 1, ...after });
  }
  const own = await readCredentials(deps.store, page.owner ?? principal.id);
  const ids = isToken && !isAdmin ? [principal.credential.id] : own.value.tokens.map(({ id }) => id).sort();
  const wanted = ids.filter((id) => page.cursor === undefined || id > page.cursor).slice(0, page.limit + 1);
  const found = await Promise.all(wanted.map((id) => deps.store.get(tokenKey(id))));
  return found.filter((token) => token !== undefined);
}

/** Revokes a token. One that the principal may not see does not exist for it; one that was revoked stays revoked. */
export async function revokeToken(
  deps: TokensDeps,
  { principal, nodes }: TokenAsker,
  id: string,
  request: RequestFacts,
): Promise<undefined> {
  if (principal.scopes.has("token:admin") && !isItself(principal, id)) nodes.requireEvery();
  const { userId } = (await getVisible(deps.store, principal, id)).value;
  return deps.decide([principal.id, userId], async (read) => {
    const token = await getVisible(read, principal, id);
    const isOwn = isItself(principal, id) || isOfItsUser(principal, token.value);
    if (!isOwn) await requireRights(read, principal, "token:admin", request.now);
    if (token.value.revokedAt !== undefined) return { result: () => undefined };
    const { name } = token.value;
    const book = await readCredentials(read, userId);
    const tokens = book.value.tokens.map((ref) =>
      ref.id === id ? { id, deadAt: Math.min(ref.deadAt, request.now) } : ref,
    );
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "token.revoked",
        subject: token.key.text,
        detail: { userId, name, ended: [id] },
      }),
      changes: [put(token, { ...token.value, revokedAt: request.now }), put(book, { ...book.value, tokens })],
      result: () => undefined,
    };
  });
}

async function getVisible(store: Reads, principal: Principal, id: string) {
  const token = await store.get(tokenKey(id));
  if (token !== undefined && maySee(principal, token.value)) return token;
  throw fault("token.unknown", `there is no token ${id}`);
}

function maySee(principal: Principal, token: TokenRecord): boolean {
  return principal.scopes.has("token:admin") || isItself(principal, token.id) || isOfItsUser(principal, token);
}

function isItself({ credential }: Principal, id: string): boolean {
  return credential.kind === "token" && credential.id === id;
}

function isOfItsUser(principal: Principal, token: TokenRecord): boolean {
  return principal.credential.kind === "session" && token.userId === principal.id;
}

/** A token as it is shown: without its digest, and after the one answer that issued it without itself. */
export async function viewToken(deps: TokensDeps, token: TokenRecord): Promise<Token> {
  const owner = await findUser(deps.store, token.userId);
  const use = (await deps.uses.find([token.id])).get(token.id);
  return {
    id: token.id,
    name: token.name,
    class: token.class,
    owner: { id: token.userId, username: owner?.value.username ?? "" },
    scopes: [...token.scopes],
    nodes: token.nodes === undefined ? null : [...token.nodes],
    createdAt: iso(token.createdAt),
    expiresAt: iso(token.expiresAt),
    revokedAt: token.revokedAt === undefined ? null : iso(token.revokedAt),
    lastUsedAt: use === undefined ? null : iso(use.at),
    lastAddress: use?.address ?? null,
  };
}
