import { byteForm, readByteForm } from "@gatehouse/base";
import * as z from "zod";
import { readBase64 } from "./base64.ts";

/** A statement with the signature of one approver under it. */
export interface SignedStatement {
  readonly statement: Uint8Array;
  /** The SSHSIG without armor. */
  readonly ssh: Uint8Array;
}

/** How the statements of one approval travel and are kept: the byte form of a list, every value in padded base64. */
export function writeContainer(items: readonly SignedStatement[]): Uint8Array {
  if (items.length < 1 || items.length > mostItems) throw new RangeError(`expected 1 to ${mostItems} statements`);
  return byteForm(items.map(({ statement, ssh }) => ({ statement: statement.toBase64(), ssh: ssh.toBase64() })));
}

/** Undefined for bytes that no `writeContainer` makes. What is in them is nobody's word yet. */
export function readContainer(bytes: Uint8Array): readonly SignedStatement[] | undefined {
  if (bytes.byteLength > mostBytes) return undefined;
  const parsed = container.safeParse(readByteForm(bytes, { depth: 2, keys: 2 * mostItems, items: mostItems }));
  return parsed.success ? parsed.data : undefined;
}

const mostItems = 16;
/** Sixteen statements about the largest plan, under the longest signatures, take less. */
const mostBytes = 128 * 1_024;

const base64Bytes = z.string().transform((text, context) => {
  const bytes = readBase64(text);
  if (bytes !== undefined) return bytes;
  context.addIssue("must be padded base64");
  return z.NEVER;
});
const container = z
  .array(z.strictObject({ statement: base64Bytes, ssh: base64Bytes }))
  .min(1)
  .max(mostItems);
