/** What the name of a file beside a log says about it. */
export interface EarlierName {
  /**
   * `behind` the whole name (`web.log.1`, `web.log-20260101`), `within` it before its extension (`web-20260101.log`), or `aside`, a name
   * that people give to copies as well (`web.log.old`, `web.log.bak`).
   */
  readonly kind: "behind" | "within" | "aside";
  /** Compressed: what is in it is no text. */
  readonly isPacked: boolean;
}

const packings = [".gz", ".xz", ".bz2", ".zst", ".lz4", ".Z"];

/** Undefined for what rotation would not say: a place that was made up must not lead to a file that root did not mean. */
export function readEarlierName(log: string, name: string): EarlierName | undefined {
  const packing = packings.find((each) => name.endsWith(each)) ?? "";
  const plain = name.slice(0, name.length - packing.length);
  const kind = kindOf(log, plain);
  return kind === undefined ? undefined : { kind, isPacked: packing !== "" };
}

function kindOf(log: string, name: string): EarlierName["kind"] | undefined {
  if (name.startsWith(log)) {
    const end = name.slice(log.length);
    if (/^[.-](?:old|bak)$/.test(end)) return "aside";
    if (/^[.-]\d[\dT_.:-]{0,39}$/.test(end)) return "behind";
  }
  const dot = log.lastIndexOf(".");
  const [stem, extension] = [log.slice(0, dot), log.slice(dot)];
  if (dot < 1 || !name.startsWith(stem) || !name.endsWith(extension)) return undefined;
  const middle = name.slice(stem.length, -extension.length);
  // Only a whole date: `worker-2.log` is the log of another worker.
  return /^[.-](?:\d{8}|\d{4}-\d\d-\d\d)(?:[T_.-]\d{1,10})?$/.test(middle) ? "within" : undefined;
}

/** The names to look at where there are more than that: those that rotation gave last, by their numbers and by their dates. */
export function newestNames(names: readonly string[], most: number): readonly string[] {
  const numbered = names.flatMap((name) => {
    const number = earlierNumber(name);
    return number === undefined ? [] : [{ name, number }];
  });
  const low = numbered.toSorted((one, other) => one.number - other.number).map(({ name }) => name);
  const late = names
    .filter((name) => earlierNumber(name) === undefined)
    .toSorted()
    .toReversed();
  const half = most / 2;
  return [...low.slice(0, Math.max(half, most - late.length)), ...late.slice(0, Math.max(half, most - low.length))];
}

/** Of `web.log.1` and `web.log.1.gz`; the higher it is the older is the file. */
export function earlierNumber(name: string): number | undefined {
  const found = /\.(\d{1,4})(?:\.[A-Za-z]\w{0,2})?$/.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Whether rotation gave a name after another one of the same kind, by number or by date. Of other names only the time of the file says it. */
export function isNamedLater(name: string, before: string): boolean {
  const [number, earlier] = [earlierNumber(name), earlierNumber(before)];
  if (number !== undefined && earlier !== undefined) return number < earlier;
  return number !== undefined || earlier !== undefined || name > before;
}
