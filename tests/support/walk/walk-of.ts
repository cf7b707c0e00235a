export interface Step {
  /** A line of shell, exactly as the page has it. */
  readonly command: string;
  /** What the page says that it shows. `…` stands for what differs every time. */
  readonly shows: readonly string[];
}

export interface Walk {
  /** Files that the reader writes, by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly steps: readonly Step[];
}

/**
 * Reads a page that is a walk: ```sh blocks with one command a line, ```text blocks with what the commands above them
 * show, and blocks with a file's name behind the language, which the reader saves under that name. Other blocks are for reading.
 */
export function walkOf(page: string): Walk {
  const files = new Map<string, string>();
  const steps: { command: string; shows: string[] }[] = [];
  for (const [, language = "", name = "", text = ""] of page.matchAll(/^```(\w+)(?: ([\w./-]+))?\n(.*?)^```$/gms)) {
    const lines = text.split("\n").filter((line) => line !== "");
    if (name !== "") files.set(name, text);
    else if (language === "sh") steps.push(...lines.map((command) => ({ command, shows: [] })));
    else if (language === "text") steps.at(-1)?.shows.push(...lines);
  }
  return { files, steps };
}

/** A part of a page, from its heading to the next one of the same rank; it must be there. */
export function sectionOf(page: string, heading: string): string {
  const rank = /^#+/.exec(heading)?.[0] ?? "";
  const [, text] = new RegExp(`^${RegExp.escape(heading)}\n(.*?)(?=^${rank} |(?![^]))`, "ms").exec(page) ?? [];
  if (text === undefined) throw new Error(`the page has no part ${JSON.stringify(heading)}`);
  return text;
}

/** Whether a line of the page stands in what was shown. */
export function isShown(line: string, shown: string): boolean {
  const parts = line
    .trim()
    .split("…")
    .map((part) => RegExp.escape(part));
  return new RegExp(`^\\s*${parts.join(".*")}\\s*$`, "m").test(shown);
}
