import { parseStrictJson } from "@gatehouse/base";
import { parseTrustPolicy, verifyBundle } from "@gatehouse/bundle/verify";
import { inMemory, policyOf } from "../../bundles/sample.ts";
import { openSignInDoor } from "../inside/sign-in-door.ts";

const door = await openSignInDoor();

/** What `step-worker.ts` counts the steps of, and what each gives back. */
export const stepJobs = {
  "read JSON": (text: string) => Promise.resolve(parseStrictJson(text).ok),
  "judge a manifest": async (bundle: { readonly manifestBytes: Uint8Array; readonly artifact: Uint8Array }) => {
    const verdict = await verifyBundle({
      bundle: inMemory({ id: "acme-many", ...bundle }),
      policy: policyOf(),
      now: 0,
    });
    return verdict.accepted ? "accepted" : verdict.refusal.code;
  },
  "read a trust policy": (text: string) => {
    try {
      parseTrustPolicy(Buffer.from(text));
      return Promise.resolve("read");
    } catch (error) {
      return Promise.resolve(String(error));
    }
  },
  "refuse a sign-in": (username: string) => door.attempt(username),
  /** Looks for each key in all earlier ones, as a careless check for doubles does: what the count has to see. */
  "read JSON carelessly": (text: string) => {
    const keys = Object.keys(JSON.parse(text) as object);
    let doubles = 0;
    for (const [at, key] of keys.entries()) {
      for (let before = 0; before < at; before += 1) if (keys[before] === key) doubles += 1;
    }
    return Promise.resolve(doubles === 0);
  },
} as const;

export type StepJobs = typeof stepJobs;
