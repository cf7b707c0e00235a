import * as z from "zod";
import { roles, scopeNames } from "../scopes.ts";
import { tokenClasses } from "../token-classes.ts";
import { defineKind, moment, type RecordOf, text } from "./record-kind.ts";

export const userKind = defineKind({
  name: "user",
  says: "A person who can sign in, with the hash of the password.",
  schema: z.strictObject({
    id: text,
    username: text,
    role: z.enum(roles),
    passwordHash: text,
    disabled: z.boolean(),
    createdAt: moment,
    updatedAt: moment,
    passwordChangedAt: moment,
  }),
  kept: "until the user is removed",
});
export type UserRecord = RecordOf<typeof userKind>;

/** Its key is the name, which makes names unique: two commits cannot both find it absent. */
export const usernameKind = defineKind({
  name: "username",
  says: "Which user has a name.",
  schema: z.strictObject({ userId: text }),
  kept: "until the user is removed",
});
export type UsernameRecord = RecordOf<typeof usernameKind>;

/** Kept under the digest of the cookie's value. It is written once and removed, never changed. */
export const sessionKind = defineKind({
  name: "session",
  says: "A browser that is signed in, under the digest of its cookie.",
  schema: z.strictObject({
    id: text,
    userId: text,
    createdAt: moment,
    authenticatedAt: moment,
    expiresAt: moment,
    address: text,
    userAgent: text,
  }),
  kept: "until it ends: 12 hours at most, 2 hours without use",
});
export type SessionRecord = RecordOf<typeof sessionKind>;

export const tokenKind = defineKind({
  name: "token",
  says: "A personal access token, by its digest.",
  schema: z.strictObject({
    id: text,
    name: text,
    userId: text,
    class: z.enum(tokenClasses),
    scopes: z.array(z.enum(scopeNames)),
    nodes: z.array(text).exactOptional(),
    /** SHA-256 of the whole token, in hexadecimal. 256 random bits need no slow hash. */
    hash: text,
    createdAt: moment,
    expiresAt: moment,
    revokedAt: moment.exactOptional(),
  }),
  kept: "until 30 days after it expired or was revoked",
});
export type TokenRecord = RecordOf<typeof tokenKind>;

/**
 * The credentials of one user, oldest first. Whatever adds or ends one of them also writes this record, so its version
 * decides every race between them, and nothing has to search all sessions for those of one user.
 */
export const credentialsKind = defineKind({
  name: "credentials",
  says: "The sessions and tokens of one user.",
  schema: z.strictObject({
    sessions: z.array(z.strictObject({ id: text, key: text, expiresAt: moment })),
    /** `deadAt` is when it expires or when it was revoked. */
    tokens: z.array(z.strictObject({ id: text, deadAt: moment })),
  }),
  kept: "until the user is removed",
});
export type CredentialsRecord = RecordOf<typeof credentialsKind>;

/** The enabled owners. Every change of that set writes this one record, so two changes cannot each spare the other's. */
export const ownersKind = defineKind({
  name: "owners",
  says: "Which enabled users are owners; there is one such record.",
  schema: z.strictObject({ ids: z.array(text) }),
  kept: "for ever",
});
export type OwnersRecord = RecordOf<typeof ownersKind>;

export const idempotencyKind = defineKind({
  name: "idempotency",
  says: "What a request with an Idempotency-Key has created.",
  schema: z.strictObject({
    resultId: text,
    /** Digest of the request without its secrets. */
    request: text,
    expiresAt: moment,
  }),
  kept: "a day",
});
export type IdempotencyRecord = RecordOf<typeof idempotencyKind>;
