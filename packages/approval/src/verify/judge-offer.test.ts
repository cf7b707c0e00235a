import { expect, test } from "vitest";
import { writeContainer } from "../container.ts";
import { sectionBits } from "../section-bits.ts";
import { codeOf, signedBy, vectorApproval } from "./approval-cases.ts";
import { judgeOffer, neededPersons, type OfferScene, readOffer } from "./judge-approvals.ts";
import { approverKeyId } from "./load-ssh-key.ts";
import { makeKey } from "./ssh-key-cases.ts";
import { firstTrust, parseTrust } from "./trust.ts";

const ada = makeKey("ssh-ed25519", 1);
const bob = makeKey("ecdsa-sha2-nistp256", 3);
const trust = parseTrust(
  firstTrust(
    [
      { name: "Ada", keys: [ada] },
      { name: "Bob", keys: [bob] },
    ],
    { thresholds: { change: 1, network: 2, update: 1, terminal: 1, trust: 1 } },
  ),
);
const { keyId: _, ...vector } = vectorApproval;
const approval = { ...vector, sections: sectionBits(2, [1]), trust: [trust.digest] };
const wall = approval.issuedAt;
const scene: OfferScene = {
  trust,
  planDigest: approval.planDigest,
  sectionIndex: 1,
  sectionCount: 2,
  risks: ["network"],
  together: false,
  clock: { wall, floorNow: wall },
};

test("one signature of several is taken, and one whose time has not come", () => {
  const early = { ...approval, notBefore: wall + 30 * 60_000 };
  const judged = judgeOffer(writeContainer([signedBy(ada, early)]), scene);
  expect(judged).toEqual({ approval: early, persons: ["Ada"], keyIds: [approverKeyId(ada.blob)] });
  expect(neededPersons(scene)).toBe(2);
  expect(neededPersons({ trust, risks: [] })).toBe(1);
});

test.each([
  ["statement.plan", { planDigest: "0".repeat(64) }],
  ["statement.node", { sectionIndex: 0 }],
  ["time.expired", { clock: { wall: approval.notAfter + 1, floorNow: wall } }],
] as const)("what the host would refuse anyway is refused: %s", (code, more) => {
  expect(codeOf(() => judgeOffer(writeContainer([signedBy(ada, approval)]), { ...scene, ...more }))).toBe(code);
});

test("what approvers say alike is read before anybody is believed", () => {
  const both = [signedBy(ada, approval), signedBy(bob, approval)];
  const keyIds = [ada, bob].map(({ blob }) => approverKeyId(blob));
  expect(readOffer(writeContainer(both))).toEqual({ approval, keyIds });
  const mixed = [signedBy(ada, approval), signedBy(bob, { ...approval, rollbackWindow: 61 })];
  expect(codeOf(() => readOffer(writeContainer(mixed)))).toBe("statement.differ");
  expect(codeOf(() => readOffer(new Uint8Array(4)))).toBe("statement.malformed");
});
