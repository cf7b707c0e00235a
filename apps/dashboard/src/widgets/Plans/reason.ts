/** Characters of a reason, as the contract has it. */
export const mostReason = 500;

export const missingReason = "Say why: somebody will read it.";

/** People end their reasons with a full stop or without one. */
export function asSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** A name after other words: "by you". Names of people stay as they are. */
export function withinSentence(name: string): string {
  return /^(You|The|Somebody)\b/.test(name) ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;
}

/** As the contract takes it: on one line. */
export function asOneLine(reason: string): string {
  return reason.trim().replaceAll(/\s+/g, " ");
}
