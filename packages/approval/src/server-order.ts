import { encodeText, frame, readFrame, readNumber, readText, u32, u64 } from "@gatehouse/keys/frame";

/** What a server signs for a host whose root trusts it: nobody else has to. Ids and digests are in lower-case hexadecimal. */
export interface ServerOrder {
  readonly nodeId: string;
  /** 16 bytes that nobody used before: by them an order is spent. */
  readonly orderId: string;
  readonly planDigest: string;
  /** Where the host's own section stands in the plan. */
  readonly sectionIndex: number;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Seconds. */
  readonly rollbackWindow: number;
}

/**
 * The id of the order that a task is sent under on a server's word. Made of the task's own id, which is random, and of the word that
 * it stands under: offered again it is the same order, and whoever reads what a host signed can tell which word it used.
 */
export function serverOrderId(sha256: (bytes: Uint8Array) => Uint8Array, task: string, word: string): string {
  return sha256(frame("gatehouse-order-id-v1", encodeText(task), encodeText(word)))
    .subarray(0, 16)
    .toHex();
}

export const orderDomain = "gatehouse-server-order-v1";

export function orderFrame(order: ServerOrder): Uint8Array {
  return frame(
    orderDomain,
    encodeText(order.nodeId),
    Uint8Array.fromHex(order.orderId),
    Uint8Array.fromHex(order.planDigest),
    u32(order.sectionIndex),
    u64(order.notBefore),
    u64(order.notAfter),
    u32(order.rollbackWindow),
  );
}

/** The order of exactly these bytes, undefined for anything else. What its values may be is judged where it is used. */
export function readOrder(framed: Uint8Array): ServerOrder | undefined {
  const fields = readFrame(framed, orderDomain, ["any", 16, 32, 4, 8, 8, 4]);
  if (fields === undefined) return undefined;
  const [node, orderId, planDigest, index, before, after, window] = fields;
  const nodeId = readText(node);
  const [sectionIndex, notBefore, notAfter, rollbackWindow] = [index, before, after, window].map(readNumber);
  if (nodeId === undefined || sectionIndex === undefined || rollbackWindow === undefined) return undefined;
  if (notBefore === undefined || notAfter === undefined) return undefined;
  const ids = { orderId: orderId.toHex(), planDigest: planDigest.toHex() };
  return { nodeId, ...ids, sectionIndex, notBefore, notAfter, rollbackWindow };
}
