import { verify } from "node:crypto";
import { signingPayload } from "./byte-form.ts";
import { type CheckStep, fail, type Findings, known, pass } from "./judgement.ts";
import { writeTime } from "./time.ts";
import type { TrustedKey } from "./trust-policy.ts";

const notTrusted = "publisher is not trusted";

/** The checks of who signed, in order (contract 7). They come before the artifact is read: unsigned bytes cost nothing. */
export const trustChecks = [
  {
    name: "signed",
    judge: (_, findings) => {
      const found = `${known(findings, "manifest").signatures.length} signatures`;
      const isSigned = known(findings, "manifest").signatures.length > 0;
      return isSigned ? pass("at least 1 signature", found) : fail("bundle.unsigned", "at least 1 signature", found);
    },
  },
  {
    name: "publisher",
    judge: ({ policy }, findings) => {
      const { publisher } = known(findings, "manifest");
      const trusted = policy.publishers.get(publisher);
      const expected = `one of the ${policy.publishers.size} publishers of the trust policy`;
      if (trusted === undefined) return fail("bundle.publisher_not_trusted", expected, publisher, notTrusted);
      findings.publisher = trusted;
      return pass(expected, publisher);
    },
  },
  {
    name: "keys",
    judge: (_, findings) => {
      const { keys, id } = known(findings, "publisher");
      const signed = known(findings, "manifest").signatures.map((signature) => signature.keyId);
      const counted = keys.filter((key) => signed.includes(key.id));
      const expected = `a signature by a key of ${id}`;
      if (counted.length === 0) {
        return fail("bundle.publisher_not_trusted", expected, `only ${signed.join(", ")}`, notTrusted);
      }
      findings.counted = counted;
      const unknown = signed.filter((keyId) => !keys.some((key) => key.id === keyId));
      const ignored = unknown.length === 0 ? "" : `; ignored, not in the trust policy: ${unknown.join(", ")}`;
      return pass(expected, `${namesOf(counted)}${ignored}`);
    },
  },
  {
    name: "revoked-keys",
    judge: ({ policy }, findings) =>
      keepKeys(findings, (key) => !policy.revoked.keys.has(key.id), {
        code: "bundle.key_revoked",
        expected: "a key that is not revoked",
        dropped: "revoked",
      }),
  },
  {
    name: "key-validity",
    judge: ({ now }, findings) =>
      keepKeys(findings, (key) => key.notAfter === undefined || now <= key.notAfter, {
        code: "bundle.key_expired",
        expected: `a key that is valid at ${writeTime(now)}`,
        dropped: "no longer valid",
      }),
  },
  {
    name: "signature",
    judge: (_, findings) => {
      const manifest = known(findings, "manifest");
      const payload = signingPayload(known(findings, "value") as object);
      const counted = known(findings, "counted");
      const wrong = counted.filter((key) => {
        const signature = manifest.signatures.find((one) => one.keyId === key.id);
        const bytes = Buffer.from(signature?.ed25519 ?? "", "base64");
        return verify(null, payload, key.key, bytes) !== true;
      });
      const expected = `a signature of this manifest by ${namesOf(counted)}`;
      if (wrong.length > 0) {
        return fail("bundle.invalid_signature", expected, `another one by ${namesOf(wrong)}`, "invalid signature");
      }
      findings.payload = payload;
      return pass(expected, "valid");
    },
  },
  {
    name: "threshold",
    judge: (_, findings) => {
      const { threshold, keys } = known(findings, "publisher");
      const signers = known(findings, "counted");
      const expected = `signatures by ${threshold} of ${keys.length} keys`;
      const found = `${signers.length}: ${namesOf(signers)}`;
      return signers.length >= threshold ? pass(expected, found) : fail("bundle.threshold_not_met", expected, found);
    },
  },
] as const satisfies readonly CheckStep[];

/** Keys that fall away never count, whatever they signed; a bundle needs one that stays. */
function keepKeys(
  findings: Findings,
  stays: (key: TrustedKey) => boolean,
  words: { code: "bundle.key_revoked" | "bundle.key_expired"; expected: string; dropped: string },
) {
  const counted = known(findings, "counted");
  const left = counted.filter(stays);
  const dropped = counted.filter((key) => !left.includes(key));
  const found = dropped.length === 0 ? namesOf(left) : `${words.dropped}: ${namesOf(dropped)}`;
  if (left.length === 0) return fail(words.code, words.expected, found);
  findings.counted = left;
  return pass(words.expected, found);
}

function namesOf(keys: readonly TrustedKey[]): string {
  return keys.map((key) => key.id).join(", ");
}
