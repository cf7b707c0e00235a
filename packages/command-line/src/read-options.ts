import { parseArgs } from "node:util";
import { nearestName } from "@gatehouse/contract";
import type { CommandOf, Flag, Flags } from "./command.ts";
import { UsageError } from "./usage-error.ts";

/** Taken by every command. */
export const commonFlags = {
  json: { about: "Print one JSON document instead of text." },
  help: { about: "Explain the command and do nothing." },
} as const satisfies Flags;

/** -33.8 is a number, as people write one, and no option: none begins with a digit. */
export function isNumber(argument: string): boolean {
  return /^-[0-9]/.test(argument);
}

export interface Options {
  readonly given: Readonly<Record<string, string | true | readonly string[]>>;
  /** What stood between the options and is none. */
  readonly positionals: readonly string[];
}

/** Reads what stands behind the words of a command, by the flags the command declares. */
export function readOptions(command: Pick<CommandOf<never>, "name" | "flags">, options: readonly string[]): Options {
  const flags: Flags = { ...command.flags, ...commonFlags };
  const types = Object.entries(flags).map(
    ([name, flag]) => [name, { type: flag.value === undefined ? "boolean" : "string" }] as const,
  );
  const { tokens } = parseArgs({ args: [...options], options: Object.fromEntries(types), strict: false, tokens: true });
  const given: Record<string, string | true | readonly string[]> = {};
  const numbers = new Set<number>();
  const positionals: string[] = [];
  const refuse: Refuse = (problem) => new UsageError(problem, command.name);
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      positionals.push(token.value);
      continue;
    }
    const written = options[token.index] ?? "";
    if (isNumber(written)) {
      // Taken apart sign by sign, as short options are.
      if (!numbers.has(token.index)) positionals.push(written);
      numbers.add(token.index);
      continue;
    }
    const flag =
      Object.hasOwn(flags, token.name) && token.rawName === `--${token.name}` ? flags[token.name] : undefined;
    if (flag === undefined) {
      const nearest = nearestName(token.name, shownNames(flags));
      throw refuse(`there is no option ${token.rawName}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`);
    }
    const earlier = given[token.name];
    if (earlier !== undefined && flag.list !== true) throw refuse(`${token.rawName} is given twice`);
    const value = readValue(token, flag, refuse);
    given[token.name] = typeof earlier === "object" && typeof value === "object" ? [...earlier, ...value] : value;
  }
  const missing = Object.entries(flags).find(([name, flag]) => flag.required === true && given[name] === undefined);
  if (missing !== undefined) throw refuse(`--${missing[0]} is missing: --${missing[0]}=${missing[1].value ?? ""}`);
  return { given, positionals };
}

function shownNames(flags: Flags): string[] {
  return Object.entries(flags).flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]));
}

type Refuse = (problem: string) => UsageError;

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function readValue(token: OptionToken, flag: Flag, refuse: Refuse): string | true | readonly string[] {
  if (flag.value === undefined) {
    if (token.value !== undefined) throw refuse(`${token.rawName} takes no value`);
    return true;
  }
  // `--data-dir --json` is a forgotten value, not a directory; one that begins with a dash is written with `=`. A dash alone
  // is what stands for standard input everywhere.
  const forgotten = token.value === undefined || token.value === "" || (!token.inlineValue && /^-./.test(token.value));
  if (forgotten) throw refuse(`${token.rawName} needs a value: ${token.rawName}=${flag.value}`);
  const text = token.value ?? "";
  const values = flag.list === true && flag.whole !== true ? text.split(",") : [text];
  for (const value of values) checkChoice(token.rawName, value, flag, refuse);
  return flag.list === true ? values : text;
}

function checkChoice(rawName: string, value: string, { choices, list }: Flag, refuse: Refuse): void {
  if (list === true && value === "") throw refuse(`${rawName} has nothing between two commas`);
  if (choices === undefined || choices.includes(value)) return;
  const nearest = nearestName(value, choices);
  const meant = nearest === undefined ? `it takes ${choices.join(", ")}` : `did you mean ${nearest}?`;
  throw refuse(`${rawName} does not take ${JSON.stringify(value)}; ${meant}`);
}
