/** A command that a page, a message or the dashboard shows to a person. */
export interface PrintedCommand {
  /** `file:line` */
  readonly at: string;
  /** As it is shown, from `gatehouse` on. */
  readonly text: string;
}

/** Every command of a Markdown page: lines of shell, and code in a sentence. */
export function commandsOfPage(file: string, page: string): PrintedCommand[] {
  const found: PrintedCommand[] = [];
  let fence = "";
  for (const [index, line] of page.split("\n").entries()) {
    const at = `${file}:${index + 1}`;
    const [, opened] = /^\s*```(\w*)/.exec(line) ?? [];
    if (opened !== undefined) fence = fence === "" ? opened || "none" : "";
    // Names of files follow the language: those blocks are no lines to type.
    else if (fence === "sh") found.push(...commandsOfLine(line).map((text) => ({ at, text })));
    else if (fence === "") {
      for (const [, code = ""] of line.matchAll(/`([^`]+)`/g)) {
        found.push(...commandsOfLine(code).map((text) => ({ at, text })));
      }
    }
  }
  return found;
}

/**
 * Every command in the texts of a source file. It may stand in backticks; bare it goes up to the last word that looks like an
 * argument, and without one it is a name and not a line to type. What is put in when the program runs stands as VALUE.
 */
export function commandsOfSource(file: string, source: string): PrintedCommand[] {
  return source.split("\n").flatMap((raw, index) => {
    const at = `${file}:${index + 1}`;
    if (isComment(raw)) return [];
    const found: string[] = [];
    // In a template a backtick that is shown is escaped; in a text between quotes it is not.
    const line = raw.replaceAll(/\$\{[^{}]*\}/g, "VALUE").replaceAll("\\`", mark);
    const marked = line.replaceAll(/"[^"]*"/g, (text) => text.replaceAll("`", mark));
    const bare = marked.replaceAll(/\uE000([^\uE000]+)\uE000/g, (_, code: string) => {
      found.push(...commandsOfLine(code));
      return "";
    });
    for (const { 0: text, index: from } of bare.matchAll(/\bgatehouse (?=[a-z]|--?[a-z])[^`;]*/g)) {
      const before = bare.charAt(from - 1);
      const isWhole = before === "" || `"'\`(`.includes(before);
      found.push(...commandsOfLine(isWhole ? beginOf(text, before === "(" ? ")" : before) : spokenIn(text)));
    }
    return found.map((text) => ({ at, text }));
  });
}

/** Shown to nobody. */
export function isComment(line: string): boolean {
  return /^\s*(?:\/?\*|\/\/)/.test(line);
}

/** A text that is a command goes on to its end. Without anything like an argument it is a sentence about the program. */
function beginOf(text: string, quote: string): string {
  const whole = (quote === "" ? text : (text.split(quote)[0] ?? "")).replace(/[,:]\s.*$/, "");
  return lastArgument(whole.split(" ")) > 0 ? whole : "";
}

/** In a sentence it ends with the last word that looks like an argument. */
function spokenIn(text: string): string {
  const words = text.replace(/[,.:)"]+(?:\s.*)?$|<\/?\w+>.*$/, "").split(" ");
  return words.slice(0, lastArgument(words) + 1).join(" ");
}

function lastArgument(words: readonly string[]): number {
  // The first three are the program, a noun and a verb.
  return words.findLastIndex((word, at) => word.startsWith("-") || (at > 2 && /[A-Z]{2}|[/:]|\w-\w|\.\w/.test(word)));
}

/** Stands for a backtick that is shown. */
const mark = "\uE000";

/** The commands of ours in one line of shell, without what belongs to the shell: variables, pipes, redirections, comments. */
function commandsOfLine(line: string): string[] {
  return line
    .replace(/(?:^|\s)#.*$/, "")
    .split(/&&|\||;/)
    .flatMap((part) => {
      const [, words] = /(?:^|\s|\()gatehouse ((?!gatehouse ).*)$/.exec(part.replaceAll(/\s[<>].*$/g, "")) ?? [];
      return words === undefined || words.trim() === "" || words.includes("…") ? [] : [`gatehouse ${words.trim()}`];
    });
}
