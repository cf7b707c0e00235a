/**
 * The one text of a JSON value: keys sorted by UTF-16 code unit, two-space indent, escapes as JSON.stringify writes them,
 * integers within 2^53-1 only. Equal values give equal texts and different values different ones, so a digest of the text
 * is a digest of the value. Throws a RangeError for a value that has no such text; members that are undefined are absent.
 */
export function writeCanonicalJson(value: unknown): string {
  return write(value, "", 1);
}

/** Deeper than any reader of ours goes. */
const mostDepth = 64;

function write(value: unknown, indent: string, depth: number): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "number") return writeNumber(value);
  if (typeof value !== "object") throw new RangeError(`a ${typeof value} has no canonical text`);
  if (depth > mostDepth) throw new RangeError(`nested deeper than ${mostDepth}`);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = Array.from(value as unknown[], (item) => write(item, inner, depth + 1));
    return writeBlock("[", items, "]", indent);
  }
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  // JSON.stringify would move keys that look like array indexes to the front, so members are written here.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.map(([key, member]) => `${writeString(key)}: ${write(member, inner, depth + 1)}`);
  return writeBlock("{", members, "}", indent);
}

function writeNumber(value: number): string {
  // Minus zero would be read back as another number than was written.
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
    throw new RangeError("a number that is not an integer within 2^53-1 has no canonical text");
  }
  return String(value);
}

function writeString(value: string): string {
  if (!value.isWellFormed()) throw new RangeError("a string with a lone surrogate has no canonical text");
  return JSON.stringify(value);
}

function writeBlock(open: string, lines: readonly string[], close: string, indent: string): string {
  if (lines.length === 0) return open + close;
  return `${open}\n${indent}  ${lines.join(`,\n${indent}  `)}\n${indent}${close}`;
}
