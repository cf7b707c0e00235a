import { hostLogLimits } from "@gatehouse/contract";

/** A line of a log as it leaves the host: all of it visible and inert, and no longer than a line may be. */
export function shownLogText(text: string): string {
  const most = hostLogLimits.lineChars;
  if (text.length <= most) return pictured(text);
  return `${pictured(text.slice(0, most - 1))}…`;
}

/**
 * What a terminal would obey and what nobody would see has one sign for each character, so that it is seen to have been there. All but
 * the one that makes a picture of the character before it: it is in what people write, and there is one of it.
 */
function pictured(text: string): string {
  return text.toWellFormed().replaceAll(/(?!\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]/gu, pictureOf);
}

const [firstPicture, deletePicture, unknownPicture] = [0x24_00, "\u2421", "\ufffd"];

/** Unicode has pictures for the first control characters, and for no others. */
function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(firstPicture + code);
  return code === 0x7f ? deletePicture : unknownPicture;
}
