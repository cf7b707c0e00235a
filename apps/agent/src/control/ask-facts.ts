import {
  channelLimits,
  decodeBase64url,
  type FrameOf,
  readFacts,
  type SignedFacts,
  writeControlFrame,
} from "@gatehouse/channel";
import { readByteForm, writeCanonicalJson } from "@gatehouse/base";
import { fault } from "@gatehouse/contract/faults";
import { signatureLength } from "@gatehouse/keys";
import { splitSigned } from "@gatehouse/keys/frame";
import * as z from "zod";
import type { AskHelper } from "../local/ask-helper.ts";

export interface AskedFacts {
  /** What it says, without number and time: the server is told again only what is news. */
  readonly about: string;
  readonly text: string;
  readonly ceiling: { readonly digest: string; readonly mode: string };
  /** The logs whose lines root lets be sent. */
  readonly logs: readonly string[];
}

const statusForm = z.object({ signed: z.string(), ceilingDigest: z.string(), addresses: z.array(z.string()) });
const ceilingForm = z.object({ bytes: z.string(), digest: z.string().regex(/^[0-9a-f]{64}$/) });

const sendForm = z.object({ send: z.object({ logs: z.array(z.string()) }).optional() });

/** The frame that tells the server what this host is: signed by the root part, and passed on as it is. */
export async function askFacts(ask: AskHelper): Promise<AskedFacts> {
  const ceiling = ceilingForm.parse(await ask("ceiling"));
  const status = statusForm.parse(await ask("status"));
  if (ceiling.digest !== status.ceilingDigest) {
    throw fault("local.unavailable", "the ceiling has changed while it was read; it is asked for again");
  }
  const { addresses } = status;
  const frame: FrameOf<"facts"> = { t: "facts", signed: status.signed, ceiling: ceiling.bytes, addresses, units: [] };
  const text = writeControlFrame(frame);
  if (new TextEncoder().encode(text).byteLength > channelLimits.factsBytes) {
    throw fault("frame.too_large", "the ceiling of this host is too long to be shown to the server");
  }
  const { facts, trustDigest } = factsOf(status.signed);
  const { digest } = ceiling;
  const about = writeCanonicalJson({ facts, digest, trust: trustDigest.toHex(), addresses });
  return { about, text, ceiling: { digest, mode: facts.mode }, logs: sentLogsIn(ceiling.bytes) };
}

/** Of the ceiling only this is looked at here; the helper judges every log by itself. */
function sentLogsIn(bytes: string): readonly string[] {
  const written = decodeBase64url(bytes);
  const { data } = sendForm.safeParse(written === undefined ? undefined : readByteForm(written));
  return data?.send?.logs ?? [];
}

function factsOf(signed: string): SignedFacts {
  const parts = splitSigned(decodeBase64url(signed) ?? new Uint8Array(), [signatureLength]);
  const read = parts && readFacts(parts.framed);
  if (read === undefined) throw fault("local.unavailable", "the helper has signed no facts");
  return read;
}
