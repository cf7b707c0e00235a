import type { JsonObject } from "@gatehouse/base";
import type { Terminal } from "./terminal/terminal.ts";

/** One option of a command. Without `value` it is a switch. */
export interface Flag {
  /** What stands for the value in the help: `DIR`, `FILE`. */
  readonly value?: string;
  readonly about: string;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** May be given several times, and hold several values with commas between them. */
  readonly list?: true;
  readonly required?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

/** A word after the command that is no option: `user remove USER`. */
export interface Argument {
  /** What stands for it in the help. */
  readonly value: string;
  readonly about: string;
  readonly optional?: true;
}

/** In the order in which they are written. No argument has the name of a flag. */
export type Arguments = Readonly<Record<string, Argument>>;

type TextOf<F> = F extends { readonly choices: readonly (infer Choice)[] } ? Choice : string;
type ValueOf<F> = F extends { readonly value: string }
  ? F extends { readonly list: true }
    ? readonly TextOf<F>[]
    : TextOf<F>
  : true;
type NamesWith<Rows, Mark> = { [Name in keyof Rows]: Rows[Name] extends Mark ? Name : never }[keyof Rows];
type RequiredFlag<F> = NamesWith<F, { readonly required: true }>;
/** None for a command that declares no arguments. */
type ArgumentNames<A> = string extends keyof A ? never : keyof A;
type OptionalArgument<A> = NamesWith<A, { readonly optional: true }>;

/**
 * What was given: a text for every option with a value (a list where it may be several), true for every switch, a text
 * for every argument. What was not given is absent.
 */
export type Given<F extends Flags, A extends Arguments = Arguments> = {
  readonly [Name in RequiredFlag<F>]: ValueOf<F[Name]>;
} & { readonly [Name in Exclude<keyof F, RequiredFlag<F>>]?: ValueOf<F[Name]> } & {
  readonly [Name in Exclude<ArgumentNames<A>, OptionalArgument<A>>]: string;
} & { readonly [Name in OptionalArgument<A>]?: string };

/** The same before a command's own flags and arguments say more about it. */
export type RawGiven = Readonly<Record<string, string | true | readonly string[]>>;

/** What a command found. It prints nothing itself, so the same finding serves people and machines. */
export interface Report {
  /** False when the check failed: the exit code is then 1. */
  readonly ok: boolean;
  /** For people; the first line is the answer, the others are its reasons. */
  readonly lines: readonly string[];
  /** For people, on standard error: what must not stand beside an answer that a script takes. */
  readonly notes?: readonly string[];
  /** For machines (`--json`). */
  readonly json: JsonObject;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
}

export interface Command {
  /** `version`, or a noun and a verb: `audit verify`. */
  readonly name: string;
  /** One line, for lists. */
  readonly summary: string;
  /** What it does, what it does not touch, and when to use it. Each text is a paragraph. */
  readonly about: readonly string[];
  readonly examples: readonly { readonly run: string; readonly why: string }[];
  readonly arguments: Arguments;
  readonly flags: Flags;
  readonly run: (given: RawGiven, surroundings: Surroundings) => Promise<Report>;
}

/** A command whose `run` sees exactly the flags and arguments it declares. */
export function defineCommand<const F extends Flags, const A extends Arguments = Arguments>(
  command: Omit<Command, "arguments" | "flags" | "run"> & {
    readonly arguments?: A;
    readonly flags: F;
    readonly run: (given: Given<F, A>, surroundings: Surroundings) => Promise<Report>;
  },
): Command {
  return {
    ...command,
    arguments: command.arguments ?? {},
    // The runner parses with these very flags before it calls, which is what the narrower parameter asks for.
    run: (given, surroundings) => command.run(given as Given<F, A>, surroundings),
  };
}
