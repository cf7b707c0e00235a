import type { JsonObject } from "@gatehouse/base";
import { channelLimits, decodeBase64url, unpackHeadRows } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import * as z from "zod";
import { getPinnedServer } from "../local/server-file.ts";
import { readStanding, takeHead, type WitnessStanding } from "../witness/take-head.ts";
import type { HelperDeps } from "./helper-deps.ts";
import { headsPerMinute } from "./sliding-minute.ts";

/** Rows travel in base64url, 64 characters each. */
const mostRowChars = channelLimits.headRows * 64;

export const headFields = z.strictObject({
  signed: z.string().min(1).max(512),
  /** With rows: the number of the first of them. */
  from: z.int().min(1).exactOptional(),
  rows: z.string().max(mostRowChars).exactOptional(),
});

/** A head of the server's log: the helper judges it, and keeps what came of it. Nothing else of the host depends on it. */
export function putHead(deps: HelperDeps, { signed, from, rows }: z.output<typeof headFields>): Promise<JsonObject> {
  if (!deps.minutes.heads.take()) throw fault("local.limit", `more than ${headsPerMinute} heads in a minute`);
  // Bytes that are none of a head are one that the server did not sign, and those of no row prove nothing.
  const bytes = decodeBase64url(signed) ?? new Uint8Array();
  const packed = rows === undefined ? undefined : (decodeBase64url(rows) ?? new Uint8Array());
  const list = packed === undefined ? undefined : (unpackHeadRows(packed) ?? []);
  return deps.inTurn(["witness"], async () => {
    const server = getPinnedServer(deps);
    const proof = list === undefined || from === undefined ? undefined : { from, rows: list };
    const offered = { signed: bytes, proof };
    const answer = await takeHead({ place: deps, clock: deps.clock, log: deps.log }, server.key, offered);
    return plain(answer);
  });
}

export function getHead(deps: HelperDeps): Promise<JsonObject> {
  return deps.inTurn(["witness"], async () => plain(readStanding(deps, getPinnedServer(deps).key)));
}

/** An interface is no JSON to the compiler. */
function plain({ held, ...rest }: WitnessStanding): JsonObject {
  return { ...rest, held: held === null ? null : { ...held } };
}
