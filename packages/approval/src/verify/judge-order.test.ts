import { importPrivateKey, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { encodeText, frame, joinSigned, u32 } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { writeContainer } from "../container.ts";
import { orderDomain, orderFrame, readOrder, type ServerOrder } from "../server-order.ts";
import { codeOf, signedBy, vectorApproval } from "./approval-cases.ts";
import { readOffer } from "./judge-approvals.ts";
import { judgeOrder, type OrderScene } from "./judge-order.ts";
import { makeKey } from "./ssh-key-cases.ts";

const server = importPrivateKey(new Uint8Array(32).fill(5));
const thief = importPrivateKey(new Uint8Array(32).fill(6));
const minute = 60_000;
const day = 24 * 60 * minute;
const wall = 1_800_000_000_000;

const order: ServerOrder = {
  nodeId: "node_zjq786fqc9hjs4qb1wefsk24q0",
  orderId: "ab".repeat(16),
  planDigest: "cd".repeat(32),
  sectionIndex: 1,
  notBefore: wall,
  notAfter: wall + 60 * minute,
  rollbackWindow: 60,
};
const scene: OrderScene = {
  server: publicKeyBytes(server),
  nodeId: order.nodeId,
  planDigest: order.planDigest,
  sectionIndex: 1,
  clock: { wall, floorNow: wall },
  isSpent: () => false,
  horizon: 0,
};
const signed = (framed: Uint8Array, key = server) => joinSigned(framed, signBytes(key, framed));
const answer = (more: Partial<ServerOrder>, known: Partial<OrderScene> = {}, key = server) =>
  codeOf(() => judgeOrder(signed(orderFrame({ ...order, ...more }), key), { ...scene, ...known }));

test("an order of the host's own server is taken, with all that it says", () => {
  expect(judgeOrder(signed(orderFrame(order)), scene)).toEqual(order);
});

test("an order is read from exactly its bytes", () => {
  const framed = orderFrame(order);
  expect(readOrder(framed)).toEqual(order);
  for (let length = 0; length < framed.byteLength; length += 1) {
    expect(readOrder(framed.subarray(0, length))).toBeUndefined();
  }
  const fields = (node: Uint8Array, time: Uint8Array, end = time) =>
    frame(orderDomain, node, new Uint8Array(16), new Uint8Array(32), u32(0), time, end, u32(60));
  const [noTime, someTime] = [new Uint8Array(8).fill(255), new Uint8Array(8)];
  expect(readOrder(fields(Uint8Array.of(0xff), someTime))).toBeUndefined();
  expect(readOrder(fields(encodeText("node_"), noTime))).toBeUndefined();
  expect(readOrder(fields(encodeText("node_"), someTime, noTime))).toBeUndefined();
  expect(readOrder(fields(encodeText("node_"), someTime))?.nodeId).toBe("node_");
});

/** In the order of verification: each with a way to fail it and nothing before it. */
const steps: readonly (readonly [string, Partial<ServerOrder>, Partial<OrderScene>])[] = [
  ["order.node", { nodeId: "node_0000000000000000000000000a" }, {}],
  ["order.node", {}, { sectionIndex: 2 }],
  ["statement.plan", {}, { planDigest: "00".repeat(32) }],
  ["statement.limits", { rollbackWindow: 9 }, {}],
  ["time.early", { notBefore: wall + 2 * minute + 1 }, {}],
  ["time.expired", { notAfter: wall - 1 }, {}],
  ["time.too_long", { notBefore: wall - 31 * day, notAfter: wall + 1 }, {}],
  ["use.spent", {}, { isSpent: (id) => id === order.orderId }],
  ["use.horizon", {}, { horizon: wall + 100 * day }],
];

test.each(steps.map((step, index) => [step[0], index] as const))("%s is refused by that name (%i)", (code, index) => {
  const [, more, known] = steps[index] ?? ["", {}, {}];
  expect(answer(more, known)).toBe(code);
  expect(answer(more, known, thief)).toBe("order.signature");
});

test("of two failures the earlier one is the answer", () => {
  for (const [index, [code, more, known]] of steps.entries()) {
    for (const [, laterMore, laterKnown] of steps.slice(index + 1)) {
      expect(answer({ ...laterMore, ...more }, { ...laterKnown, ...known })).toBe(code);
    }
  }
});

test("the limits themselves are taken, and one more is not", () => {
  expect(answer({ rollbackWindow: 10 })).toBe("taken");
  expect(answer({ rollbackWindow: 3_600 })).toBe("taken");
  expect(answer({ rollbackWindow: 3_601 })).toBe("statement.limits");
  expect(answer({ notBefore: wall + 2 * minute })).toBe("taken");
  expect(answer({ notAfter: wall })).toBe("taken");
  expect(answer({ notAfter: wall + 31 * day })).toBe("taken");
  expect(answer({ notAfter: wall + 1 }, { clock: { wall, floorNow: wall + 2 } })).toBe("time.expired");
});

test("other bytes are no order: no message, no frame, another kind, other fields", () => {
  const judge = (message: Uint8Array) => codeOf(() => judgeOrder(message, scene));
  expect(judge(new Uint8Array())).toBe("statement.malformed");
  expect(judge(signed(encodeText("no frame")))).toBe("statement.malformed");
  expect(judge(signed(frame("gatehouse-approve-plan-v1", u32(1))))).toBe("statement.kind");
  expect(judge(signed(frame(orderDomain, u32(1))))).toBe("statement.malformed");
});

test("statements that persons signed are of another kind, and so is an order where persons are believed", () => {
  const container = writeContainer([signedBy(makeKey("ssh-ed25519", 1), vectorApproval)]);
  expect(() => judgeOrder(container, scene)).toThrow(
    'statement.kind: expected "gatehouse-server-order-v1", found statements of persons',
  );
  expect(() => readOffer(signed(orderFrame(order), thief))).toThrow(
    'statement.kind: expected "gatehouse-approve-plan-v1", found "gatehouse-server-order-v1"',
  );
  expect(codeOf(() => readOffer(signed(frame("gatehouse-facts-v1", u32(1)))))).toBe("statement.malformed");
  expect(codeOf(() => readOffer(orderFrame(order)))).toBe("statement.malformed");
});
