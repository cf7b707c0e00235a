import {
  type Approval,
  approvalDomain,
  approvalFrame,
  orderFrame,
  sectionBits,
  writeContainer,
} from "@gatehouse/approval";
import { approverKeyId } from "@gatehouse/approval/verify";
import { byteForm } from "@gatehouse/base";
import { encodeText, frame, u32, u64, u8 } from "@gatehouse/keys/frame";
import { signedBy } from "../../../packages/approval/src/verify/approval-cases.ts";
import { type MadeKey, makeSshSig } from "../../../packages/approval/src/verify/ssh-key-cases.ts";
import type { MadePlan } from "../../support/signed-task.ts";
import { approvers, pairTrust } from "./approvers.ts";
import type { Found } from "./found.ts";
import { approvalFor, approvedBy, fileAt, orderFor, planFor, taskOf, usualChange } from "./made-task.ts";
import type { RowFamily, RowGround } from "./row.ts";
import { type HostWish, type RowHost, serverCeiling } from "./row-host.ts";

const { ada, adaToken, bob } = approvers;
type Said = Omit<Approval, "keyId">;
type MakeApprovals = (host: RowHost, plan: MadePlan) => Uint8Array | Promise<Uint8Array>;

/** The same plan each time, with other words of approvers beside it; each on a host of its own. */
export async function withApprovals(
  { open }: RowGround,
  wish: HostWish,
  ...makes: readonly MakeApprovals[]
): Promise<Found[]> {
  const found: Found[] = [];
  for (const make of makes) {
    const host = await open(wish);
    const plan = await planFor(host);
    found.push(await host.change(taskOf(host, plan, { approvals: await make(host, plan) })));
  }
  return found;
}

/** What Ada signs, with something else in it. */
const says = (more: Partial<Said> | ((plan: MadePlan) => Partial<Said>)) => (host: RowHost, plan: MadePlan) =>
  approvedBy([ada], approvalFor(host, plan, typeof more === "function" ? more(plan) : more));

/** Any bytes, signed by Ada as a statement would be. */
export const signedBytes = (statement: Uint8Array, key: MadeKey = ada): Uint8Array =>
  writeContainer([{ statement, ssh: makeSshSig(key, statement) }]);

const wholeOf = (host: RowHost, plan: MadePlan, more: Partial<Said> = {}) =>
  approvalFrame({ ...approvalFor(host, plan, more), keyId: approverKeyId(ada.blob) });

const zeros = (length: number) => new Uint8Array(length);
const keyId = Uint8Array.fromHex(approverKeyId(ada.blob));

/** Statements of the protocol that are about something else. */
const otherKinds: readonly Uint8Array[] = [
  frame(
    "gatehouse-open-terminal-v1",
    zeros(16),
    encodeText("node_0"),
    encodeText("root"),
    u64(0),
    u64(0),
    u64(1),
    u8(1),
    zeros(0),
    zeros(32),
    keyId,
  ),
  frame("gatehouse-rotate-trust-v1", zeros(32), zeros(32), u64(2), u64(0), keyId),
  frame("gatehouse-confirm-plan-v1", zeros(16), zeros(32), u32(3), Uint8Array.of(0x40), u64(0), u64(1), keyId),
  frame("gatehouse-revoke-approval-v1", zeros(16), u64(0), keyId),
];

export const statements: RowFamily = {
  name: "statements",
  control: {
    // An order where the server is enough is followed: hosts of the lab show that, which are made to be changed.
    does: "statements of Ada and Bob, who are enough for a host that wants two",
    expects: "applied",
    mayChange: usualChange,
    attack: (ground) =>
      withApprovals(ground, { trust: pairTrust }, (host, plan) => approvedBy([ada, bob], approvalFor(host, plan))),
  },
  rows: [
    {
      row: 68,
      does: "a statement for another plan",
      expects: "statement.plan",
      attack: (ground) =>
        withApprovals(ground, {}, says({ planDigest: "0".repeat(64) }), async (host) =>
          approvedBy([ada], approvalFor(host, await planFor(host, [fileAt("/etc/app.conf")]))),
        ),
    },
    {
      row: 69,
      does: "a statement whose bit for this host is 0",
      expects: "statement.node",
      attack: (ground) =>
        withApprovals(
          ground,
          {},
          says(({ count }) => ({ sections: sectionBits(count, [0, 2]) })),
        ),
    },
    {
      row: 70,
      does: "bits for another number of sections",
      expects: "statement.node",
      attack: (ground) =>
        withApprovals(
          ground,
          {},
          ...[2, 4, 10_000].map((count) => says(({ index }) => ({ sections: sectionBits(count, [index]) }))),
        ),
    },
    {
      row: 71,
      does: "spare bits, bytes too many, a part more, a length of 2^32-1, bytes that are no container",
      expects: "statement.malformed",
      attack: (ground) =>
        withApprovals(
          ground,
          {},
          says({ sections: { count: 3, bytes: Uint8Array.of(0x41) } }),
          says({ sections: { count: 3, bytes: Uint8Array.of(0x40, 0) } }),
          says({ sections: { count: 3, bytes: Uint8Array.of(0) } }),
          (host, plan) => {
            const whole = Buffer.concat([wholeOf(host, plan), u32(0)]);
            whole.writeUInt32BE(whole.readUInt32BE(0) + 1, 0);
            return signedBytes(whole);
          },
          (host, plan) => {
            const whole = Buffer.from(wholeOf(host, plan));
            whole.writeUInt32BE(2 ** 32 - 1, 4);
            return signedBytes(whole);
          },
          (host, plan) => signedBytes(Buffer.concat([wholeOf(host, plan), Uint8Array.of(0)])),
          () => byteForm([]),
          () => byteForm([{ statement: "AA", ssh: "" }]),
          () => byteForm([{ statement: "", ssh: "", webauthn: {} }]),
          () => Buffer.from("rubbish"),
        ),
    },
    {
      row: 72,
      does: "a grant of a terminal, a rotation, a confirmation, a revocation in place of an approval",
      expects: "statement.kind",
      attack: (ground) => withApprovals(ground, {}, ...otherKinds.map((statement) => () => signedBytes(statement))),
    },
    {
      row: 73,
      does: "an order of the server to a host whose approvers count",
      expects: "statement.kind",
      attack: (ground) =>
        withApprovals(
          ground,
          {},
          ({ nodeId }, { planDigest, index }) => {
            const times = { notBefore: Date.now(), notAfter: Date.now() + 60_000, rollbackWindow: 60 };
            return signedBytes(
              orderFrame({ nodeId, orderId: "0".repeat(32), planDigest, sectionIndex: index, ...times }),
            );
          },
          (host, plan) => orderFor(host, plan),
        ),
    },
    {
      row: 74,
      does: "an order for another host, another section or another plan, where the server counts",
      expects: ["order.node", "order.node", "statement.plan"],
      attack: (ground) =>
        withApprovals(
          ground,
          { ceiling: serverCeiling },
          (host, plan) => orderFor(host, plan, { nodeId: `node_${"0".repeat(26)}` }),
          (host, plan) => orderFor(host, plan, { sectionIndex: 0 }),
          (host, plan) => orderFor(host, plan, { planDigest: "0".repeat(64) }),
        ),
    },
    {
      row: 75,
      does: "two statements with different windows",
      expects: "statement.differ",
      attack: (ground) =>
        withApprovals(ground, { trust: pairTrust }, (host, plan) => {
          const approval = approvalFor(host, plan);
          return writeContainer([
            signedBy(ada, approval),
            signedBy(bob, { ...approval, notAfter: approval.notAfter + 1 }),
          ]);
        }),
    },
    {
      row: 76,
      does: "two statements under two ids",
      expects: "statement.differ",
      attack: (ground) =>
        withApprovals(ground, { trust: pairTrust }, (host, plan) =>
          writeContainer([signedBy(ada, approvalFor(host, plan)), signedBy(bob, approvalFor(host, plan))]),
        ),
    },
    {
      row: 77,
      does: "one person with two keys, where two persons are wanted",
      expects: "signature.threshold",
      attack: (ground) =>
        withApprovals(ground, { trust: pairTrust }, (host, plan) =>
          approvedBy([ada, adaToken], approvalFor(host, plan)),
        ),
    },
    {
      row: 78,
      does: "one statement twice, where two persons are wanted, and one alone",
      expects: "signature.threshold",
      attack: (ground) =>
        withApprovals(
          ground,
          { trust: pairTrust },
          (host, plan) => approvedBy([ada, ada], approvalFor(host, plan)),
          (host, plan) => approvedBy([bob], approvalFor(host, plan)),
        ),
    },
    {
      row: 79,
      does: "17 statements",
      expects: "task.malformed",
      attack: (ground) =>
        withApprovals(ground, {}, (host, plan) => {
          const { statement, ssh } = signedBy(ada, approvalFor(host, plan));
          const item = { statement: statement.toBase64(), ssh: ssh.toBase64() };
          return byteForm(Array.from({ length: 17 }, () => item));
        }),
    },
    {
      row: 80,
      does: "one person's signature under another's key id",
      expects: "signature.key_unknown",
      attack: (ground) =>
        withApprovals(ground, {}, (host, plan) => {
          const { statement } = signedBy(bob, approvalFor(host, plan));
          return signedBytes(statement, ada);
        }),
    },
    {
      row: 81,
      does: "windows of 0 and 10^9, confirmations 0 and 3, trust files in another order, time to settle",
      expects: "statement.limits",
      attack: (ground) =>
        withApprovals(
          ground,
          {},
          ...[
            { rollbackWindow: 0 },
            { rollbackWindow: 10 ** 9 },
            { confirmation: 0 },
            { confirmation: 3 },
            { settle: 60 },
          ].map((more) => says(more)),
          (host, plan) => says({ trust: [host.trustDigest, "0".repeat(64)] })(host, plan),
          (host, plan) => says({ trust: [host.trustDigest, host.trustDigest] })(host, plan),
        ),
    },
    {
      row: 82,
      does: "an approval of another fleet",
      expects: "statement.trust",
      attack: (ground) => withApprovals(ground, {}, says({ trust: ["0".repeat(64)] })),
    },
    {
      row: 84,
      does: "the domain of a later version",
      expects: "statement.kind",
      attack: (ground) =>
        withApprovals(ground, {}, (host, plan) => {
          const whole = Buffer.from(wholeOf(host, plan));
          whole[8 + approvalDomain.length - 1] = "2".charCodeAt(0);
          return signedBytes(whole);
        }),
    },
  ],
};
