import { parseArgs } from "node:util";
import { nearestName } from "@gatehouse/contract";
import type { Command, Flag, Flags } from "./command.ts";

/** A mistake in how the program was called: exit code 2, and the help that would have prevented it. */
export class UsageError extends Error {
  /** What to ask for help about. */
  readonly topic: string;

  constructor(message: string, topic = "") {
    super(message);
    this.name = "UsageError";
    this.topic = topic;
  }
}

export type Request =
  | { readonly kind: "help"; readonly topic: string; readonly asked: boolean }
  | {
      readonly kind: "run";
      readonly command: Command;
      readonly json: boolean;
      readonly given: Readonly<Record<string, string | true>>;
    };

/** Taken by every command. */
export const commonFlags = {
  json: { about: "Print one JSON document instead of text." },
  help: { about: "Explain the command and do nothing." },
} as const satisfies Flags;

/** Turns arguments into what is to be done. Words come first, then options; nothing is read from files or guessed. */
export function parseArguments(commands: readonly Command[], args: readonly string[]): Request {
  const { words, options } = splitArguments(args.length === 1 && args[0] === "--version" ? ["version"] : args);
  if (words[0] === "help") return { kind: "help", topic: checkTopic(commands, words.slice(1)), asked: true };
  const asked = options.some((option) => option === "--help" || option === "-h");
  const command = commands.find(({ name }) => name.split(" ").every((word, index) => word === words[index]));
  if (command === undefined) {
    const topic = checkTopic(commands, words);
    const early = options.find((option) => !isCommon(option));
    if (early !== undefined) throw new UsageError(`${early} needs a command before it`, topic);
    return { kind: "help", topic, asked };
  }
  const surplus = words[command.name.split(" ").length];
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(surplus)}`, command.name);
  if (asked) return { kind: "help", topic: command.name, asked };
  const { json, ...given } = readOptions(command, options);
  return { kind: "run", command, json: json === true, given };
}

/** The command's words, and everything that is not one of them. Only common switches may stand before the words. */
function splitArguments(args: readonly string[]): { words: readonly string[]; options: readonly string[] } {
  const first = args.findIndex((argument) => !isCommon(argument));
  const from = first === -1 ? args.length : first;
  const dash = args.findIndex((argument, index) => index >= from && argument.startsWith("-"));
  const to = dash === -1 ? args.length : dash;
  return { words: args.slice(from, to), options: [...args.slice(0, from), ...args.slice(to)] };
}

function isCommon(argument: string): boolean {
  return argument === "-h" || Object.keys(commonFlags).some((name) => argument === `--${name}`);
}

/** A topic is nothing, a noun, or a whole command. */
function checkTopic(commands: readonly Command[], words: readonly string[]): string {
  const known = commands.map(({ name }) => name.split(" "));
  for (const [depth, word] of words.entries()) {
    const before = words.slice(0, depth);
    const fitting = known.filter((name) => before.every((earlier, index) => name[index] === earlier));
    const possible = [...new Set(fitting.map((name) => name[depth]))].filter((name) => name !== undefined);
    if (possible.includes(word)) continue;
    const nearest = nearestName(word, possible);
    const meant = nearest === undefined ? "" : `; did you mean ${[...before, nearest].join(" ")}?`;
    throw new UsageError(
      `there is no command ${JSON.stringify([...before, word].join(" "))}${meant}`,
      before.join(" "),
    );
  }
  return words.join(" ");
}

function readOptions(command: Command, options: readonly string[]): Record<string, string | true> {
  const flags: Flags = { ...command.flags, ...commonFlags };
  const types = Object.entries(flags).map(
    ([name, flag]) => [name, { type: flag.value === undefined ? "boolean" : "string" }] as const,
  );
  const { tokens } = parseArgs({ args: [...options], options: Object.fromEntries(types), strict: false, tokens: true });
  const given: Record<string, string | true> = {};
  const refuse = (problem: string) => new UsageError(problem, command.name);
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") throw refuse(`unexpected argument ${JSON.stringify(token.value)}`);
    const flag =
      Object.hasOwn(flags, token.name) && token.rawName === `--${token.name}` ? flags[token.name] : undefined;
    if (flag === undefined) {
      const nearest = nearestName(token.name, Object.keys(flags));
      throw refuse(`there is no option ${token.rawName}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`);
    }
    if (token.name in given) throw refuse(`${token.rawName} is given twice`);
    given[token.name] = readValue(token, flag, refuse);
  }
  return given;
}

function readValue(
  token: { readonly rawName: string; readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
  flag: Flag,
  refuse: (problem: string) => UsageError,
): string | true {
  if (flag.value === undefined) {
    if (token.value !== undefined) throw refuse(`${token.rawName} takes no value`);
    return true;
  }
  // `--data-dir --json` is a forgotten value, not a directory; one that begins with a dash is written with `=`.
  const forgotten =
    token.value === undefined || token.value === "" || (!token.inlineValue && token.value.startsWith("-"));
  if (forgotten) throw refuse(`${token.rawName} needs a value: ${token.rawName}=${flag.value}`);
  return token.value ?? "";
}
