import { verify } from "node:crypto";
import { signingPayload } from "./byte-form.ts";
import { type CheckStep, fail, type Findings, known, pass, type Signer } from "./judgement.ts";
import { writeTime } from "./time.ts";

const notTrusted = "publisher is not trusted";

/** The checks of who signed, in order (contract 7). They come before the artifact is read: unsigned bytes cost nothing. */
export const trustChecks = [
  {
    name: "signed",
    judge: (_, findings) => {
      const { signatures } = known(findings, "manifest");
      const found = String(signatures.length);
      return signatures.length > 0
        ? pass("1 to 8 signatures", found)
        : fail("bundle.unsigned", "1 to 8 signatures", found);
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
      const { signatures } = known(findings, "manifest");
      const keyOf = new Map(keys.map((key) => [key.id, key]));
      const counted = signatures.flatMap(({ keyId, ed25519 }): Signer[] => {
        const key = keyOf.get(keyId);
        return key === undefined ? [] : [{ key, signature: Buffer.from(ed25519, "base64") }];
      });
      const others = signatures.map(({ keyId }) => keyId).filter((keyId) => !keyOf.has(keyId));
      const expected = `a signature by a key of ${id}`;
      if (counted.length === 0) {
        return fail("bundle.publisher_not_trusted", expected, `only ${others.join(", ")}`, notTrusted);
      }
      findings.counted = counted;
      const ignored = others.length === 0 ? "" : `; ignored, not in the trust policy: ${others.join(", ")}`;
      return pass(expected, `${namesOf(counted)}${ignored}`);
    },
  },
  {
    name: "revoked-keys",
    judge: ({ policy }, findings) =>
      keepKeys(findings, ({ key }) => !policy.revoked.keys.has(key.id), {
        code: "bundle.key_revoked",
        expected: "a key that is not revoked",
        dropped: "revoked",
      }),
  },
  {
    name: "key-validity",
    judge: ({ now }, findings) =>
      keepKeys(findings, ({ key }) => key.notAfter === undefined || now <= key.notAfter, {
        code: "bundle.key_expired",
        expected: `a key that is valid at ${writeTime(now)}`,
        dropped: "no longer valid",
      }),
  },
  {
    name: "signature",
    judge: (_, findings) => {
      const payload = signingPayload(known(findings, "value") as object);
      const counted = known(findings, "counted");
      const wrong = counted.filter(({ key, signature }) => !verify(null, payload, key.key, signature));
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
  stays: (signer: Signer) => boolean,
  words: { code: "bundle.key_revoked" | "bundle.key_expired"; expected: string; dropped: string },
) {
  const counted = known(findings, "counted");
  const left = counted.filter(stays);
  const dropped = counted.filter((signer) => !left.includes(signer));
  const found = dropped.length === 0 ? namesOf(left) : `${words.dropped}: ${namesOf(dropped)}`;
  if (left.length === 0) return fail(words.code, words.expected, found);
  findings.counted = left;
  return pass(words.expected, found);
}

function namesOf(signers: readonly Signer[]): string {
  return signers.map(({ key }) => key.id).join(", ");
}
