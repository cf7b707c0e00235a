import { hash } from "node:crypto";
import type { Clock } from "@gatehouse/base";
import { addressBlock } from "./client-address.ts";
import type { Presented } from "./credential.ts";

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Token buckets under a bounded number of keys. */
export interface Buckets {
  /** Takes tokens, one unless said otherwise. 0 when they were there, otherwise the whole seconds after which they will be. */
  take(key: string, count?: number): number;
  /** As `take`, but only for a key that is known; undefined for a stranger. */
  takeKnown(key: string): number | undefined;
  forget(key: string): void;
}

/**
 * Two generations of keys: a key that is used moves to the young one; when that is full, the old one, which holds only
 * keys that were idle meanwhile, is dropped whole. Costs nothing per request and bounds memory without a timer.
 */
export function openBuckets(rate: Rate, maxKeys: number, clock: Pick<Clock, "monotonic">): Buckets {
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  const find = (key: string) => {
    const current = young.get(key);
    if (current !== undefined) return current;
    const earlier = old.get(key);
    if (earlier !== undefined) keep(key, earlier);
    return earlier;
  };
  const keep = (key: string, bucket: Bucket) => {
    if (young.size >= maxKeys / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, bucket);
  };
  const takeFrom = (bucket: Bucket, count: number) => {
    const now = clock.monotonic();
    bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.filledAt) * rate.perSecond) / 1_000);
    bucket.filledAt = now;
    if (bucket.tokens < count) return Math.max(1, Math.ceil((count - bucket.tokens) / rate.perSecond));
    bucket.tokens -= count;
    return 0;
  };
  return {
    take: (key, count = 1) => {
      let bucket = find(key);
      if (bucket === undefined) {
        bucket = { tokens: rate.burst, filledAt: clock.monotonic() };
        keep(key, bucket);
      }
      return takeFrom(bucket, count);
    },
    takeKnown: (key) => {
      const bucket = find(key);
      return bucket === undefined ? undefined : takeFrom(bucket, 1);
    },
    forget: (key) => {
      young.delete(key);
      old.delete(key);
    },
  };
}

/** What the limit said about one request, and what it remembers until the credential was judged. */
export interface Admission {
  /** 0, or the whole seconds to wait. */
  readonly wait: number;
  readonly key: string | undefined;
  readonly isKnown: boolean;
}

export interface CallerLimit {
  /** Before authentication. */
  admit(address: string, presented: Presented): Admission;
  /** After it: a good credential counts alone from now on, a bad one counts for its address. */
  recordResult(admission: Admission, isGood: boolean): void;
}

/**
 * Counts the credential once it has proved good, and the client's address until then. The limit is judged before a
 * credential is looked up, so a flood of invented ones costs its own address and nothing else; and people behind one
 * address do not share a limit once they are signed in.
 */
export function openCallerLimit(rate: Rate, maxKeys: number, clock: Pick<Clock, "monotonic">): CallerLimit {
  const addresses = openBuckets(rate, maxKeys, clock);
  const credentials = openBuckets(rate, maxKeys, clock);
  return {
    admit: (address, presented) => {
      const key = credentialKey(presented);
      const own = key === undefined ? undefined : credentials.takeKnown(key);
      if (own !== undefined) return { wait: own, key, isKnown: true };
      return { wait: addresses.take(addressBlock(address)), key, isKnown: false };
    },
    recordResult: ({ key, isKnown }, isGood) => {
      if (key === undefined || isKnown === isGood) return;
      if (isGood) credentials.take(key);
      else credentials.forget(key);
    },
  };
}

/** A digest, so that no credential stays in memory longer than its request. */
function credentialKey(presented: Presented): string | undefined {
  if (presented === undefined || presented.kind === "malformed") return undefined;
  return hash("sha256", presented.kind === "bearer" ? `b${presented.token}` : `c${presented.value}`, "base64");
}
