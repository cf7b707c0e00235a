import { encodeText, frame, u64 } from "@gatehouse/keys/frame";
import { describe, expect, test } from "vitest";
import { type SignedStatement, writeContainer } from "../container.ts";
import { sectionBits } from "../section-bits.ts";
import { type Approval, approvalFrame } from "../statement.ts";
import { joinBytes, sshString } from "../ssh-wire.ts";
import { type ApprovalScene, approvalChecks } from "./approval-checks.ts";
import { codeOf, signedBy, vectorApproval } from "./approval-cases.ts";
import { judgeApprovals, judgeOffer, neededPersons } from "./judge-approvals.ts";
import { approverKeyId } from "./load-ssh-key.ts";
import { makeKey, makeSshSig } from "./ssh-key-cases.ts";
import { firstTrust, parseTrust, type Trust } from "./trust.ts";

const ada = makeKey("ssh-ed25519", 1);
const adaToken = makeKey("sk-ecdsa-sha2-nistp256@openssh.com", 2);
const bob = makeKey("ecdsa-sha2-nistp256", 3);
const cleo = makeKey("sk-ssh-ed25519@openssh.com", 4);
const stranger = makeKey("ssh-ed25519", 5);
/** Anybody can sign for it. No trust file is read that holds it; a host asks again before it verifies. */
const weakBlob = joinBytes(sshString("ssh-ed25519"), sshString(Uint8Array.of(1, ...new Uint8Array(31))));
const rsaBlob = joinBytes(sshString("ssh-rsa"), sshString(Uint8Array.of(3)), sshString(Uint8Array.of(5)));

const minute = 60_000;
const day = 24 * 60 * minute;
const wall = 1_800_000_000_000;

const trust = parseTrust(
  firstTrust(
    [
      { name: "Ada", keys: [{ blob: ada.blob }, { blob: adaToken.blob }] },
      { name: "Bob", keys: [{ blob: bob.blob }] },
      { name: "Cleo", keys: [{ blob: cleo.blob }] },
    ],
    { thresholds: { change: 1, network: 2, update: 3, terminal: 1, trust: 3 } },
  ),
);
const pinnedBadly = (name: string, blob: Uint8Array) => ({
  name,
  keys: [{ id: approverKeyId(blob), blob, needsVerification: true }],
});

type JointApproval = Omit<Approval, "keyId">;

/** Everything that a host is given: what is signed, by whom, and what it knows itself. */
interface Case {
  approval: JointApproval;
  scene: ApprovalScene;
  /** Made when the approval is final, so that a change of it is in all of them. */
  items: ((approval: JointApproval) => SignedStatement)[];
}

function goodCase(): Case {
  const { keyId: _, ...approval } = vectorApproval;
  return {
    approval: { ...approval, sections: sectionBits(3, [0, 1]), trust: [trust.digest] },
    scene: {
      trust,
      planDigest: vectorApproval.planDigest,
      sectionIndex: 1,
      sectionCount: 3,
      risks: ["change"],
      together: false,
      clock: { wall, floorNow: wall },
      isSpent: () => false,
      horizon: 0,
      isRevoked: () => false,
    },
    items: [(joint) => signedBy(ada, joint)],
  };
}

function answer({ approval, scene, items }: Case): string {
  return codeOf(() => judgeApprovals(writeContainer(items.map((make) => make(approval))), scene));
}

const inScene = (more: (one: Case) => Partial<ApprovalScene>) => (one: Case) => {
  one.scene = { ...one.scene, ...more(one) };
};
const inApproval = (more: (approval: JointApproval) => Partial<JointApproval>) => (one: Case) => {
  one.approval = { ...one.approval, ...more(one.approval) };
};
const inTrust = (more: (held: Trust) => Partial<Trust>) =>
  inScene(({ scene }) => ({ trust: { ...scene.trust, ...more(scene.trust) } }));
/** One statement more, with one thing wrong in it. It comes first, so that no step gets by on the order of statements. */
const withItem = (make: (approval: JointApproval) => SignedStatement) => (one: Case) => {
  one.items = [make, ...one.items];
};
const framed = (domain: string, approval: JointApproval) =>
  frame(domain, Uint8Array.fromHex(approval.approvalId), u64(1));
const signedRaw = (statement: Uint8Array) => ({ statement, ssh: makeSshSig(ada, statement) });
const otherDigest = "00".repeat(32);

/** In the order of verification: each with a way to fail it and nothing before it. */
const steps: readonly (readonly [code: string, spoil: (one: Case) => void])[] = [
  ["trust.expired", inTrust(() => ({ notAfter: wall - 1 }))],
  ["statement.malformed", withItem(() => signedRaw(encodeText("no frame")))],
  ["statement.kind", withItem((approval) => signedRaw(framed("gatehouse-revoke-approval-v1", approval)))],
  ["statement.differ", withItem((approval) => signedBy(bob, { ...approval, approvalId: "ac".repeat(16) }))],
  ["statement.plan", inScene(() => ({ planDigest: otherDigest }))],
  ["statement.node", inScene(() => ({ sectionIndex: 2 }))],
  ["statement.trust", inApproval(() => ({ trust: [otherDigest] }))],
  ["statement.limits", inApproval(() => ({ rollbackWindow: 0 }))],
  ["time.issued_in_future", inApproval(() => ({ issuedAt: wall + 5 * minute + 1 }))],
  ["time.early", inApproval(() => ({ notBefore: wall + 2 * minute + 1 }))],
  ["time.expired", inApproval(() => ({ notAfter: wall - 1 }))],
  [
    "time.too_long",
    inApproval(({ issuedAt, notAfter }) =>
      notAfter < wall ? { issuedAt: notAfter - 31 * day - 1 } : { notAfter: issuedAt + 31 * day + 1 },
    ),
  ],
  ["use.spent", inScene(({ approval }) => ({ isSpent: (id) => id === approval.approvalId }))],
  ["use.horizon", inScene(({ approval }) => ({ horizon: approval.notAfter }))],
  ["use.revoked", inScene(({ approval }) => ({ isRevoked: (id) => id === approval.approvalId }))],
  ["signature.key_unknown", withItem((approval) => signedBy(stranger, approval))],
  [
    "key.weak",
    (one) => {
      inTrust(({ persons }) => ({ persons: [...persons, pinnedBadly("Weak", weakBlob)] }))(one);
      withItem((approval) => signedBy({ ...ada, blob: weakBlob }, approval))(one);
    },
  ],
  ["signature.format", withItem((approval) => withByteBehind(signedBy(bob, approval)))],
  ["signature.namespace", withItem((approval) => signedBy(bob, approval, { namespace: "git" }))],
  ["signature.presence", withItem((approval) => signedBy(cleo, approval, { flags: 1 }))],
  ["signature.invalid", withItem((approval) => signedBy({ ...stranger, blob: ada.blob }, approval))],
  ["signature.threshold", inTrust(({ thresholds }) => ({ thresholds: { ...thresholds, change: 9 } }))],
];

test("an approval with nothing wrong is taken, with who signed it", () => {
  const { approval, scene, items } = goodCase();
  const container = writeContainer(items.map((make) => make(approval)));
  expect(judgeApprovals(container, scene)).toEqual({
    approval,
    persons: ["Ada"],
    keyIds: [approverKeyId(ada.blob)],
  });
});

test.each(steps)("what fails only %s is refused by it", (code, spoil) => {
  const one = goodCase();
  spoil(one);
  expect(answer(one)).toBe(code);
});

describe.each(steps.slice(0, -1).map(([code], index) => [code, index] as const))("%s comes before", (code, index) => {
  test.each(steps.slice(index + 1))("%s", (_, spoil) => {
    const one = goodCase();
    // The earlier one is spoilt first: a later one may have to look at what is left.
    steps[index]?.[1](one);
    spoil(one);
    expect(answer(one)).toBe(code);
  });
});

test.each(approvalChecks.map(({ code }) => [code]))(
  "of the checks of a statement, what fails %s fails no other",
  (code) => {
    const one = goodCase();
    steps.find(([name]) => name === code)?.[1](one);
    const failed = approvalChecks.filter(({ findFlaw }) => findFlaw(one.approval, one.scene) !== undefined);
    expect(failed.map((check) => check.code)).toEqual([code]);
  },
);

test("the checks of a statement stand in the order of the protocol", () => {
  const numbers = approvalChecks.map(({ step }) => step);
  expect(numbers).toEqual([17, 18, 19, 20, 21, 21, 21, 21, 22, 23, 24]);
});

test("a pinned key of a type that is not accepted is refused by that name", () => {
  const one = goodCase();
  inTrust(({ persons }) => ({ persons: [...persons, pinnedBadly("Old", rsaBlob)] }))(one);
  withItem((approval) => signedBy({ ...ada, blob: rsaBlob }, approval))(one);
  expect(answer(one)).toBe("key.type");
});

test("an approval is bound to the SHA-256 digest of its plan: one bit more, and it is for another", () => {
  const { planDigest } = goodCase().scene;
  const bytes = Uint8Array.fromHex(planDigest);
  for (let bit = 0; bit < 256; bit += 1) {
    const other = bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
    const one = goodCase();
    inScene(() => ({ planDigest: other.toHex() }))(one);
    expect(answer(one)).toBe("statement.plan");
  }
});

describe("statements", () => {
  test.each([
    "gatehouse-confirm-plan-v1",
    "gatehouse-open-terminal-v1",
    "gatehouse-rotate-trust-v1",
    "gatehouse-server-order-v1",
    "gatehouse-approve-plan-v2",
    "",
    "\u001b[31m",
  ])("of the domain %j approve nothing", (domain) => {
    const one = goodCase();
    one.items = [(approval) => signedRaw(framed(domain, approval))];
    expect(answer(one)).toBe("statement.kind");
  });

  test("of the right domain with other fields are malformed", () => {
    const one = goodCase();
    one.items = [(approval) => signedRaw(framed("gatehouse-approve-plan-v1", approval))];
    expect(answer(one)).toBe("statement.malformed");
  });

  test("that are in no container are malformed", () => {
    const judge = () => judgeApprovals(encodeText("[]\n"), goodCase().scene);
    expect(judge).toThrow("statement.malformed: expected 1 to 16 signed statements, found 3 other bytes");
  });

  test.each<[string, Partial<JointApproval>]>([
    ["another end", { notAfter: vectorApproval.notAfter + 1 }],
    ["other hosts", { sections: sectionBits(3, [1]) }],
    ["another plan", { planDigest: otherDigest }],
    ["another length", { trust: [otherDigest, trust.digest] }],
  ])("with %s are not joined", (_, more) => {
    const one = goodCase();
    one.items.push((approval) => signedBy(bob, { ...approval, ...more }));
    expect(answer(one)).toBe("statement.differ");
  });

  test("about another number of sections are for no host of this plan", () => {
    const one = goodCase();
    inApproval(() => ({ sections: sectionBits(4, [0, 1]) }))(one);
    expect(answer(one)).toBe("statement.node");
  });
});

describe("limits", () => {
  const all = sectionBits(3, [0, 1, 2]);
  const other = "ff".repeat(32);

  test.each<[string, string, Partial<JointApproval>, Partial<ApprovalScene>]>([
    ["a window of 9 s", "statement.limits", { rollbackWindow: 9 }, {}],
    ["a window of 10 s", "taken", { rollbackWindow: 10 }, {}],
    ["a window of an hour", "taken", { rollbackWindow: 3_600 }, {}],
    ["a window of more", "statement.limits", { rollbackWindow: 3_601 }, {}],
    ["no confirmation", "statement.limits", { confirmation: 0 }, {}],
    ["a confirmation of 3", "statement.limits", { confirmation: 3 }, {}],
    ["a confirmation by the approvers", "taken", { confirmation: 2 }, {}],
    ["two trust files in order", "taken", { trust: [trust.digest, other] }, {}],
    ["two trust files in another order", "statement.limits", { trust: [other, trust.digest] }, {}],
    ["one trust file twice", "statement.limits", { trust: [trust.digest, trust.digest] }, {}],
    ["time to settle alone", "statement.limits", { settle: 60 }, {}],
    ["a part of the hosts together", "statement.limits", { settle: 60 }, { together: true }],
    ["all hosts together", "taken", { settle: 60, sections: all }, { together: true }],
    ["all hosts together for a day", "taken", { settle: 86_400, sections: all }, { together: true }],
    ["all hosts together for longer", "statement.limits", { settle: 86_401, sections: all }, { together: true }],
    ["all hosts together, for a moment", "statement.limits", { settle: 59, sections: all }, { together: true }],
  ])("%s: %s", (_, wanted, approval, scene) => {
    const one = goodCase();
    inApproval(() => approval)(one);
    inScene(() => scene)(one);
    expect(answer(one)).toBe(wanted);
  });

  test.each([
    [["change"], 1, "taken"],
    [["network"], 1, "statement.limits"],
    [["network"], 2, "taken"],
    [["update", "network", "change"], 1, "statement.limits"],
    [["update", "network", "change"], 2, "taken"],
  ] as const)(
    "where the trust file wants approvers to confirm the network, %j with %i: %s",
    (risks, confirmation, wanted) => {
      const one = goodCase();
      inTrust(({ thresholds }) => ({
        networkConfirmation: "approver",
        thresholds: { ...thresholds, network: 1, update: 1 },
      }))(one);
      inScene(() => ({ risks }))(one);
      inApproval(() => ({ confirmation }))(one);
      expect(answer(one)).toBe(wanted);
    },
  );
});

describe("times, to the millisecond", () => {
  test.each<[string, string, Partial<JointApproval>, Partial<ApprovalScene["clock"]>]>([
    ["issued five minutes ahead", "taken", { issuedAt: wall + 5 * minute }, {}],
    ["from in two minutes on", "taken", { notBefore: wall + 2 * minute }, {}],
    ["up to now", "taken", { notAfter: wall }, {}],
    ["for 31 days", "taken", { notAfter: vectorApproval.issuedAt + 31 * day }, {}],
    ["up to what the clock said before it was set back", "taken", { notAfter: wall + 9 }, { floorNow: wall + 9 }],
    ["ended before the clock was set back", "time.expired", { notAfter: wall + 9 }, { floorNow: wall + 10 }],
    ["early by the wall, whatever the floor", "time.early", { notBefore: wall + 9 * minute }, { floorNow: wall + day }],
    [
      "issued ahead of the wall, whatever the floor",
      "time.issued_in_future",
      { issuedAt: wall + 9 * minute },
      { floorNow: wall + day },
    ],
    ["at the end of all numbers", "time.too_long", { notAfter: Number.MAX_SAFE_INTEGER }, {}],
    ["issued at the end of all numbers", "time.issued_in_future", { issuedAt: Number.MAX_SAFE_INTEGER }, {}],
  ])("%s: %s", (_, wanted, approval, clock) => {
    const one = goodCase();
    inApproval(() => approval)(one);
    inScene(({ scene }) => ({ clock: { ...scene.clock, ...clock } }))(one);
    expect(answer(one)).toBe(wanted);
  });

  test("a trust file counts up to its end, and a clock that is set back does not stretch it", () => {
    const one = goodCase();
    inTrust(() => ({ notAfter: wall }))(one);
    expect(answer(one)).toBe("taken");
    inScene(() => ({ clock: { wall, floorNow: wall + 1 } }))(one);
    expect(answer(one)).toBe("trust.expired");
  });

  test("what a host has forgotten ends before what it still takes", () => {
    const one = goodCase();
    inScene(({ approval }) => ({ horizon: approval.notAfter - 1 }))(one);
    expect(answer(one)).toBe("taken");
  });
});

describe("persons", () => {
  const by = (...keys: readonly (typeof ada)[]) => keys.map((key) => (joint: JointApproval) => signedBy(key, joint));

  test.each([
    [["change"], by(ada), "taken"],
    [[], by(ada), "taken"],
    [["network"], by(ada), "signature.threshold"],
    [["network"], by(ada, bob), "taken"],
    [["network"], by(ada, adaToken), "signature.threshold"],
    [["network"], by(ada, ada), "signature.threshold"],
    [["network", "change"], by(bob), "signature.threshold"],
    [["update"], by(ada, adaToken, bob), "signature.threshold"],
    [["update"], by(ada, bob, cleo), "taken"],
    [["change", "network", "update"], by(ada, bob), "signature.threshold"],
    [["change"], by(ada, adaToken, bob, cleo), "taken"],
  ] as const)("are counted, not keys: %j, case %#", (risks, items, wanted) => {
    const one = goodCase();
    inScene(() => ({ risks }))(one);
    one.items = [...items];
    expect(answer(one)).toBe(wanted);
  });

  test("a section without operations needs as many as a change", () => {
    const one = goodCase();
    inScene(() => ({ risks: [] }))(one);
    inTrust(({ thresholds }) => ({ thresholds: { ...thresholds, change: 2 } }))(one);
    expect(answer(one)).toBe("signature.threshold");
  });

  test("one person's signature under another's key id is of a key that is not known for it", () => {
    const one = goodCase();
    one.items = [
      (approval) => {
        const statement = approvalFrame({ ...approval, keyId: approverKeyId(bob.blob) });
        return { statement, ssh: makeSshSig(ada, statement) };
      },
    ];
    expect(answer(one)).toBe("signature.key_unknown");
  });

  test("a strange signer is named before the form of the signature is judged", () => {
    const one = goodCase();
    one.items = [(approval) => withByteBehind({ ...signedBy(ada, approval), ssh: signedBy(bob, approval).ssh })];
    expect(answer(one)).toBe("signature.key_unknown");
  });
});

test("a refusal says what was expected and what was found", () => {
  const one = goodCase();
  inScene(() => ({ clock: { wall: wall + day, floorNow: 0 } }))(one);
  const container = writeContainer(one.items.map((make) => make(one.approval)));
  expect(() => judgeApprovals(container, one.scene)).toThrow(
    "time.expired: expected 2027-01-15T09:00:00.000Z or earlier, found 2027-01-16T08:00:00.000Z",
  );
});

function withByteBehind({ statement, ssh }: SignedStatement): SignedStatement {
  return { statement, ssh: joinBytes(ssh, Uint8Array.of(0)) };
}

describe("whoever collects approvals", () => {
  const offered = ({ approval, scene, items }: Case) =>
    codeOf(() => judgeOffer(writeContainer(items.map((make) => make(approval))), scene));
  const onlyOnHosts = ["time.early", "use.spent", "use.horizon", "use.revoked", "signature.threshold"];

  test.each(steps)("refuses %s as the host will, unless only the host can know", (code, spoil) => {
    const one = goodCase();
    spoil(one);
    expect(offered(one)).toBe(onlyOnHosts.includes(code) ? "taken" : code);
  });

  test("knows how many persons a section needs", () => {
    expect(neededPersons({ trust, risks: [] })).toBe(1);
    expect(neededPersons({ trust, risks: ["change", "network"] })).toBe(2);
    expect(neededPersons({ trust, risks: ["update"] })).toBe(3);
  });
});
