/**
 * A version as plugins and agents have it: semver 2.0.0 with an optional pre-release, without build metadata. Two builds of one
 * version would be equal in precedence and yet other bytes.
 */
export const versionPattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$/;

/** Precedence of semver 2.0.0 section 11: below zero when `a` comes before `b`. Throws for what is not a version. */
export function compareVersions(a: string, b: string): number {
  const left = partsOf(a);
  const right = partsOf(b);
  const core = firstDifference(left.core, right.core);
  if (core !== 0) return core;
  // A version without a pre-release comes after all its pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return Math.sign(right.pre.length - left.pre.length);
  return firstDifference(left.pre, right.pre);
}

function partsOf(version: string): { core: string[]; pre: string[] } {
  const match = versionPattern.exec(version);
  if (match === null) throw new RangeError("not a semantic version");
  const pre = match[4];
  return { core: match.slice(1, 4), pre: pre === undefined ? [] : pre.split(".") };
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const difference = compareIdentifiers(left, right);
    if (difference !== 0) return difference;
  }
  return Math.sign(a.length - b.length);
}

/** Numbers below words; numbers by value, however long they are; words by code unit. */
function compareIdentifiers(a: string, b: string): number {
  const numeric = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (numeric[0] !== numeric[1]) return numeric[0] === true ? -1 : 1;
  if (numeric[0] === true && a.length !== b.length) return Math.sign(a.length - b.length);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
