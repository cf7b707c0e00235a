import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { fault, judgePassword, normalisePassword } from "@gatehouse/contract";
import { openTurnstile, type HashingTurn } from "./turnstile.ts";

/**
 * Passwords share libuv's four threads with the store's fsync: two are hashed at once, some wait, the rest is refused. A
 * crowd of strangers never has the second place: people who are signed in, or come from where they signed in before, do.
 * Strangers wait in a long line, so that a newcomer is judged after a crowd and not refused for it.
 */
export const hashingLimits = {
  atOnce: 2,
  lanes: {
    "signed-in": { atOnce: 2, waiting: 64 },
    known: { atOnce: 2, waiting: 64 },
    stranger: { atOnce: 1, waiting: 256 },
  },
  /** The refused are asked to come again after 1 to this many seconds, not all in the same one. */
  longestRetrySeconds: 5,
} as const;

/** For whoever proves the password of the session they have, and for the command line, which is alone. */
const signedIn: HashingTurn = { lane: "signed-in", block: "" };

/** What one argon2id costs: memory in KiB, passes over it, lanes. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly lanes: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
export const passwordCost: PasswordCost = { memory: 19 * 1024, passes: 2, lanes: 1 };

export interface Passwords {
  /** The hash with its parameters, as the PHC string format writes it. */
  hash(password: string): Promise<string>;
  /** In the turn of somebody who is signed in, unless it is said whose. */
  verify(stored: string, password: string, turn?: HashingTurn): Promise<boolean>;
  /** As much work as `verify` of a real user, for a name that nobody has; never true (security class 78). */
  verifyNobody(password: string, turn?: HashingTurn): Promise<false>;
  /** Whether it was made with other parameters than today's, so that a good sign-in should make it anew. */
  isOutdated(stored: string): boolean;
}

export async function openPasswords(
  cost: PasswordCost = passwordCost,
  random: () => number = Math.random,
): Promise<Passwords> {
  const turnstile = openTurnstile({
    atOnce: hashingLimits.atOnce,
    lanes: hashingLimits.lanes,
    refuse: (lane) =>
      fault("server.busy", `${hashingLimits.lanes[lane].waiting} passwords are waiting to be checked`, {
        fields: { retryAfter: 1 + Math.floor(random() * hashingLimits.longestRetrySeconds) },
      }),
  });
  const derive = (password: string, salt: Uint8Array, { by, tagLength, turn }: Derivation) =>
    turnstile.run(
      () =>
        argon2Later("argon2id", {
          message: Buffer.from(normalisePassword(password)),
          nonce: salt,
          parallelism: by.lanes,
          memory: by.memory,
          passes: by.passes,
          tagLength,
        }),
      turn,
    );
  const hash = async (password: string) => {
    const salt = randomBytes(saltBytes);
    return writePhc(cost, salt, await derive(password, salt, { by: cost, tagLength: tagBytes, turn: signedIn }));
  };
  const verify = async (stored: string, password: string, turn = signedIn) => {
    const { by, salt, tag } = parsePhc(stored);
    return timingSafeEqual(await derive(password, salt, { by, tagLength: tag.byteLength, turn }), tag);
  };
  const nobody = await hash(randomBytes(32).toString("base64url"));
  return {
    hash,
    verify,
    verifyNobody: async (password, turn) => {
      await verify(nobody, password, turn);
      return false;
    },
    isOutdated: (stored) => {
      const { by, salt, tag } = parsePhc(stored);
      return (
        by.memory !== cost.memory ||
        by.passes !== cost.passes ||
        by.lanes !== cost.lanes ||
        salt.byteLength !== saltBytes ||
        tag.byteLength !== tagBytes
      );
    },
  };
}

interface Derivation {
  readonly by: PasswordCost;
  readonly tagLength: number;
  readonly turn: HashingTurn;
}

const argon2Later = promisify(argon2);
const saltBytes = 16;
const tagBytes = 32;
const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{11,86})$/;

function writePhc(by: PasswordCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${by.memory},t=${by.passes},p=${by.lanes}$${base64(salt)}$${base64(tag)}`;
}

function parsePhc(stored: string): { by: PasswordCost; salt: Buffer; tag: Buffer } {
  const [, memory, passes, lanes, salt, tag] = phc.exec(stored) ?? [];
  // Only this file writes such texts; another one is a defect, and must not be named in a log.
  if (salt === undefined || tag === undefined) throw new Error("a stored password hash is not an argon2id PHC string");
  return {
    by: { memory: Number(memory), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** PHC strings carry no padding. */
function base64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}

/** Refuses a password that is too weak to be set, and says why without repeating it. */
export function checkNewPassword(password: string, username: string): void {
  const reason = judgePassword(password, username);
  if (reason !== undefined) throw fault("auth.password_unacceptable", reason);
}
