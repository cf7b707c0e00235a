import { fault } from "@gatehouse/contract/faults";
import { isSignedBy, loadPublicKey, signatureLength } from "@gatehouse/keys";
import { isSameBytes, splitSigned, encodeText } from "@gatehouse/keys/frame";
import { readContainer } from "../container.ts";
import { describeFound } from "../describe-found.ts";
import { orderDomain, readOrder, type ServerOrder } from "../server-order.ts";
import { findDomain } from "../statement.ts";
import { type ApprovalScene, latest, time, wordLimits } from "./approval-checks.ts";

/** What a host that trusts its server knows by itself when an order comes. */
export interface OrderScene
  extends Pick<ApprovalScene, "planDigest" | "sectionIndex" | "clock" | "isSpent" | "horizon"> {
  /** The server's public key, pinned when the host was enrolled. */
  readonly server: Uint8Array;
  readonly nodeId: string;
}

/** Whether the host's own server has ordered that it does its section of a plan. The first failure is the answer. */
export function judgeOrder(message: Uint8Array, scene: OrderScene): ServerOrder {
  const { framed, signature } = readMessage(message);
  const order = readOrder(framed);
  if (order === undefined) throw fault("statement.malformed", "expected an order in its one form, found other bytes");
  if (!isSignedBy(loadPublicKey(scene.server, "the key of the server"), framed, signature)) {
    throw fault("order.signature", "expected a signature of the server that this host is enrolled with, found another");
  }
  checkTarget(order, scene);
  checkTimes(order, scene);
  if (scene.isSpent(order.orderId)) throw fault("use.spent", `expected a first use, found ${order.orderId} again`);
  if (order.notAfter <= scene.horizon) {
    throw fault("use.horizon", `expected an end after ${time(scene.horizon)}, found ${time(order.notAfter)}`);
  }
  return order;
}

/** Whether these bytes are meant for an order, whoever signed it: a host that believes persons tells it apart from bytes that are nothing. */
export function isOrderMessage(message: Uint8Array): boolean {
  const domain = findMessage(message)?.domain;
  return domain !== undefined && isSameBytes(domain, encodeText(orderDomain));
}

function readMessage(message: Uint8Array): { framed: Uint8Array; signature: Uint8Array } {
  const found = findMessage(message);
  if (found === undefined) {
    if (readContainer(message) !== undefined) throw otherKind("statements of persons");
    throw fault("statement.malformed", `expected a signed order, found ${message.byteLength} other bytes`);
  }
  if (!isOrderMessage(message)) throw otherKind(describeFound(found.domain));
  return found;
}

function otherKind(found: string): Error {
  return fault("statement.kind", `expected "${orderDomain}", found ${found}`);
}

function findMessage(message: Uint8Array) {
  const split = splitSigned(message, [signatureLength]);
  const domain = split === undefined ? undefined : findDomain(split.framed);
  if (split === undefined || domain === undefined) return undefined;
  return { framed: split.framed, signature: split.signatures[0], domain };
}

function checkTarget(order: ServerOrder, { nodeId, planDigest, sectionIndex }: OrderScene): void {
  if (order.nodeId !== nodeId) throw fault("order.node", `expected ${nodeId}, found ${describeFound(order.nodeId)}`);
  if (order.sectionIndex !== sectionIndex) {
    throw fault("order.node", `expected section ${sectionIndex}, found ${order.sectionIndex}`);
  }
  if (order.planDigest !== planDigest) {
    throw fault("statement.plan", `expected the plan ${planDigest}, found ${order.planDigest}`);
  }
}

function checkTimes({ notBefore, notAfter, rollbackWindow }: ServerOrder, { clock }: OrderScene): void {
  const { window, early, life } = wordLimits;
  if (rollbackWindow < window.least || rollbackWindow > window.most) {
    const expected = `a rollback window of ${window.least} to ${window.most} s`;
    throw fault("statement.limits", `expected ${expected}, found ${rollbackWindow} s`);
  }
  if (notBefore - early > clock.wall) {
    throw fault("time.early", `expected ${time(notBefore)} or later, found ${time(clock.wall)}`);
  }
  if (latest(clock) > notAfter) {
    throw fault("time.expired", `expected ${time(notAfter)} or earlier, found ${time(latest(clock))}`);
  }
  if (notAfter - notBefore > life) {
    throw fault("time.too_long", `expected an end up to ${time(notBefore + life)}, found ${time(notAfter)}`);
  }
}
