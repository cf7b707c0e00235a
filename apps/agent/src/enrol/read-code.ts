import { createHash } from "node:crypto";
import { type EnrolCode, findUrlFlaw, parseEnrolCode } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { loadPublicKey } from "@gatehouse/keys";

/** A code that can be used now. Everything that can be judged without a packet is judged here. */
export function readUsableCode(text: string, now: number): EnrolCode {
  const code = parseEnrolCode(sha256, text.trim());
  const flaw = findUrlFlaw(code.url);
  if (flaw !== undefined) throw fault("enrol.url", flaw);
  loadPublicKey(code.server, "the server's key in the code");
  if (now > code.notAfter) {
    const found = new Date(now).toISOString();
    throw fault("enrol.code_expired", `it ended at ${new Date(code.notAfter).toISOString()}, and here it is ${found}`);
  }
  return code;
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}
