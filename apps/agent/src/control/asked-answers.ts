import { channelLimits, decodeBase64url, encodeBase64url, type FrameOf, writeControlFrame } from "@gatehouse/channel";
import { fault, isFault } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { AskHelper } from "../local/ask-helper.ts";

const signedForm = z.object({ signed: z.string() });

/** Asks the helper what parts of the host are like: the frames that carry its answer, signed as it is, or that say why there is none. */
export async function answerWantState(
  ask: AskHelper,
  { request, subjects }: FrameOf<"want-state">,
): Promise<readonly string[]> {
  try {
    return piecesOf(request, await ask("state.read", { request, subjects })).map(writeControlFrame);
  } catch (error) {
    return [writeControlFrame({ t: "state-refused", request, ...refusalOf(error) })];
  }
}

function piecesOf(request: string, answer: unknown): FrameOf<"state">[] {
  const { data } = signedForm.safeParse(answer);
  const signed = data === undefined ? undefined : decodeBase64url(data.signed);
  if (signed === undefined || signed.byteLength === 0 || signed.byteLength > channelLimits.stateBytes) {
    throw fault("local.unavailable", "the helper has signed no answer");
  }
  const size = channelLimits.statePieceBytes;
  const pieces = Math.ceil(signed.byteLength / size);
  return Array.from({ length: pieces }, (_, piece) => {
    const bytes = encodeBase64url(signed.subarray(piece * size, (piece + 1) * size));
    return { t: "state", request, piece, pieces, bytes };
  });
}

/** A helper that is being ended or has failed is none for now; its own words do not leave the host. */
export function refusalOf(error: unknown): { readonly code: string; readonly detail: string } {
  if (!isFault(error)) return { code: "local.unavailable", detail: "the question was not passed on" };
  return { code: error.code, detail: error.detail.slice(0, 1_000) };
}
