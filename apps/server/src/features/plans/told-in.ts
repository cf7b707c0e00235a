import { decodeBase64url, readOutcome } from "@gatehouse/channel";
import type { ToldLines } from "@gatehouse/contract";
import { signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";

/** What a host has told in its signed end, which was checked when it came. Made visible here too: a host may be somebody else's. */
export function toldIn(outcome: string | null): ToldLines[] {
  if (outcome === null) return [];
  const read = readSigned(decodeBase64url(outcome), [signatureLength], readOutcome);
  const told = read?.value.detail.told ?? [];
  return told.map(({ lines, ...more }) => ({ ...more, lines: lines.map(visible) }));
}

function visible(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, " ");
}
