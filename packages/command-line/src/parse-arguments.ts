import { nearestName } from "@gatehouse/contract";
import type { CommandOf, RawGiven } from "./command.ts";
import { commonFlags, isNumber, readOptions } from "./read-options.ts";
import { UsageError } from "./usage-error.ts";

export type RequestFor<S> =
  | { readonly kind: "help"; readonly topic: string; readonly asked: boolean }
  | { readonly kind: "run"; readonly command: CommandOf<S>; readonly json: boolean; readonly given: RawGiven };

/** Turns arguments into what is to be done. Words come first, then options; nothing is read from files or guessed. */
export function parseArguments<S>(commands: readonly CommandOf<S>[], args: readonly string[]): RequestFor<S> {
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
  if (asked) return { kind: "help", topic: command.name, asked };
  const { given, positionals } = readOptions(command, options);
  const { json, ...rest } = given;
  const named = nameArguments(command, [...words.slice(command.name.split(" ").length), ...positionals]);
  return { kind: "run", command, json: json === true, given: { ...rest, ...named } };
}

/** The command's words, and everything that is not one of them. Only common switches may stand before the words. */
function splitArguments(args: readonly string[]): { words: readonly string[]; options: readonly string[] } {
  const first = args.findIndex((argument) => !isCommon(argument));
  const from = first === -1 ? args.length : first;
  const dash = args.findIndex((argument, index) => index >= from && argument.startsWith("-") && !isNumber(argument));
  const to = dash === -1 ? args.length : dash;
  return { words: args.slice(from, to), options: [...args.slice(0, from), ...args.slice(to)] };
}

function isCommon(argument: string): boolean {
  return argument === "-h" || Object.keys(commonFlags).some((name) => argument === `--${name}`);
}

type Named = Pick<CommandOf<never>, "name">;

/** A topic is nothing, a noun, or a whole command. */
function checkTopic(commands: readonly Named[], words: readonly string[]): string {
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

/** Gives every word the name of the argument it stands for. Neither a missing one nor one too many is passed over. */
function nameArguments(
  command: Pick<CommandOf<never>, "name" | "arguments">,
  words: readonly string[],
): Record<string, string> {
  const declared = Object.entries(command.arguments);
  const surplus = words[declared.length];
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(surplus)}`, command.name);
  const named: Record<string, string> = {};
  for (const [index, [name, { value, optional }]] of declared.entries()) {
    const word = words[index];
    if (word === "") throw new UsageError(`${value} must not be empty`, command.name);
    if (word !== undefined) named[name] = word;
    else if (optional !== true) throw new UsageError(`${value} is missing`, command.name);
  }
  return named;
}
