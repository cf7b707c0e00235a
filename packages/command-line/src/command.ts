import type { JsonObject } from "@gatehouse/base";

/** One option of a command. Without `value` it is a switch. */
export interface Flag {
  /** What stands for the value in the help: `DIR`, `FILE`. */
  readonly value?: string;
  readonly about: string;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** May be given several times, and hold several values with commas between them. */
  readonly list?: true;
  /** Of a list: a comma belongs to the value, as in a line that somebody else wrote. */
  readonly whole?: true;
  readonly required?: true;
  /** For tests and for other programs: understood, and not in the help. */
  readonly hidden?: true;
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

/** What came after the finding, in the same two forms. */
export interface LaterFinding {
  /** False when something failed later: the exit code is then 1, whatever the finding before said. */
  readonly ok?: boolean;
  readonly lines: readonly string[];
  readonly json: JsonObject;
}

/** What a command found. It prints nothing itself, so the same finding serves people and machines. */
export interface Report {
  /** False when the check failed: the exit code is then 1, or what `exit` says. */
  readonly ok: boolean;
  /** One of the program's own exit codes, for programs that tell failures apart by them. */
  readonly exit?: number;
  /** For people; the first line is the answer, the others are its reasons. */
  readonly lines: readonly string[];
  /** For people, on standard error: what must not stand beside an answer that a script takes. */
  readonly notes?: readonly string[];
  /** For machines (`--json`). */
  readonly json: JsonObject;
  /** For a command that goes on looking: each is printed when it comes, in JSON as a line of its own. */
  readonly later?: AsyncIterable<LaterFinding>;
}

/** A command of a program whose commands are handed `S`: what lies around them. */
export interface CommandOf<S> {
  /** `version`, or a noun and a verb: `audit verify`. */
  readonly name: string;
  /** One line, for lists. */
  readonly summary: string;
  /** What it does, what it does not touch, and when to use it. Each text is a paragraph. */
  readonly about: readonly string[];
  readonly examples: readonly { readonly run: string; readonly why: string }[];
  readonly arguments: Arguments;
  readonly flags: Flags;
  /** The exit code where there is no finding: for one whose finding by itself is 1, which a script must tell from "not known". */
  readonly exitWithout?: number;
  /** Started by other programs, never by people: in no list, though it explains itself when asked. */
  readonly hidden?: true;
  readonly run: (given: RawGiven, surroundings: S) => Promise<Report>;
}

type CommandRow<S, F extends Flags, A extends Arguments> = Omit<CommandOf<S>, "arguments" | "flags" | "run"> & {
  readonly arguments?: A;
  readonly flags: F;
  readonly run: (given: Given<F, A>, surroundings: S) => Promise<Report>;
};

/** For a program: what makes commands whose `run` sees exactly the flags and arguments they declare. */
export function commandDefiner<S>() {
  return <const F extends Flags, const A extends Arguments = Arguments>(row: CommandRow<S, F, A>): CommandOf<S> => ({
    ...row,
    arguments: row.arguments ?? {},
    // The runner parses with these very flags before it calls, which is what the narrower parameter asks for.
    run: (given, surroundings) => row.run(given as Given<F, A>, surroundings),
  });
}
