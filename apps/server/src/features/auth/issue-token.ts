import { hash, randomBytes } from "node:crypto";
import {
  fault,
  joinToken,
  type Scope,
  scopesOfTokenClass,
  type TokenClass,
  tokenAlphabets,
  tokenLengths,
} from "@gatehouse/contract";
import { tokenLifetimes } from "@gatehouse/contract/routes";
import type { TokenRecord, UserRecord } from "@gatehouse/contract/records";
import type { Change } from "@gatehouse/store";
import { create, type Decide, put, type Reads, remove } from "@gatehouse/store/decide";
import { actorOf, entryOf, type Principal, type RequestFacts } from "../../platform/route/index.ts";
import { recall } from "../../platform/idempotency/index.ts";
import { authLimits } from "./limits.ts";
import { requireSession } from "./own-session.ts";
import { readCredentials, type TokenRef, tokenKey } from "@gatehouse/identity";
import { readRights, type Rights } from "./rights.ts";

export interface WantedToken {
  readonly name: string;
  readonly class?: TokenClass | undefined;
  readonly scopes: readonly Scope[];
  readonly nodes?: readonly string[] | undefined;
  readonly expiresInSeconds?: number | undefined;
}

export interface IssuedToken {
  readonly record: TokenRecord;
  readonly owner: UserRecord;
  /** The token itself: in this one answer, and nowhere else. */
  readonly token: string;
}

/** Issues a token for the user of a session. Its scopes are the owner's or fewer; its end is certain. */
export async function issueToken(
  deps: { readonly decide: Decide },
  principal: Principal,
  wanted: WantedToken,
  request: RequestFacts,
  idempotencyKey: string | undefined,
): Promise<IssuedToken> {
  requireSession(principal);
  const { now } = request;
  const id = randomText(tokenAlphabets.id, tokenLengths.id);
  const token = joinToken(id, randomText(tokenAlphabets.secret, tokenLengths.secret));
  const record: TokenRecord = {
    id,
    name: wanted.name,
    userId: principal.id,
    class: wanted.class ?? "automation",
    scopes: wanted.scopes,
    ...(wanted.nodes !== undefined && { nodes: wanted.nodes }),
    hash: hash("sha256", token),
    createdAt: now,
    expiresAt: now + (wanted.expiresInSeconds ?? tokenLifetimes.unsaid) * 1_000,
  };
  return deps.decide([principal.id], async (read) => {
    const rights = await readRights(read, principal, now);
    const asked = { userId: principal.id, route: "tokens", key: idempotencyKey, request: wanted, now };
    const remembered = await recall(read, asked);
    if (remembered.resultId !== undefined) throw alreadyIssued(remembered.resultId);
    checkScopes(record, rights);
    const book = await readCredentials(read, principal.id);
    const { tokens, dropped } = makeRoom(book.value.tokens, now);
    const next = { ...book.value, tokens: [...tokens, { id, deadAt: record.expiresAt }] };
    return {
      entry: entryOf(request, {
        actor: actorOf(principal),
        action: "token.issued",
        subject: tokenKey(id).text,
        detail: {
          userId: principal.id,
          name: record.name,
          class: record.class,
          scopes: record.scopes,
          nodes: record.nodes === undefined ? null : record.nodes.length,
          expiresAt: record.expiresAt,
          ended: dropped.map((ref) => ref.id),
        },
      }),
      changes: [
        create(tokenKey(id), record),
        put(book, next),
        ...(await removals(read, dropped)),
        ...remembered.keep(id),
      ],
      result: () => ({ record, owner: rights.user, token }),
    };
  });
}

function checkScopes(record: TokenRecord, rights: Rights): void {
  const ofClass = scopesOfTokenClass(record.class);
  const beyondOwner = record.scopes.filter((scope) => !rights.scopes.has(scope));
  const beyondClass = record.scopes.filter((scope) => !ofClass.includes(scope));
  if (beyondOwner.length > 0) throw scopesRefused(beyondOwner, "you do not hold");
  if (beyondClass.length > 0) throw scopesRefused(beyondClass, `a token of class ${record.class} never holds`);
}

/** Tokens that have ended make room for new ones; living ones never do. */
function makeRoom(
  refs: readonly TokenRef[],
  now: number,
): { tokens: readonly TokenRef[]; dropped: readonly TokenRef[] } {
  const excess = refs.length + 1 - authLimits.tokensPerUser;
  const dropped = refs.filter(({ deadAt }) => deadAt <= now).slice(0, Math.max(0, excess));
  if (dropped.length < excess) {
    throw fault(
      "token.too_many",
      `a user has at most ${authLimits.tokensPerUser} tokens that are neither expired nor revoked`,
    );
  }
  return { tokens: refs.filter((ref) => !dropped.includes(ref)), dropped };
}

async function removals(read: Reads, refs: readonly TokenRef[]): Promise<readonly Change[]> {
  const found = await Promise.all(refs.map(({ id }) => read.get(tokenKey(id))));
  return found.flatMap((token) => (token === undefined ? [] : [remove(token)]));
}

/** Even chances for every character: bytes beyond the last whole multiple of the alphabet are thrown away. */
function randomText(alphabet: string, length: number): string {
  const usable = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < usable && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

function scopesRefused(scopes: readonly Scope[], why: string): Error {
  return fault("token.scope_refused", `${why} ${scopes.join(", ")}`, { fields: { scopes } });
}

function alreadyIssued(id: string): Error {
  return fault("token.already_issued", `the key belongs to the token ${id}, which was shown when it was issued`, {
    fields: { id },
  });
}
