import type { JsonObject } from "@gatehouse/base";

/** One option of a command. Without `value` it is a switch. */
export interface Flag {
  /** What stands for the value in the help: `DIR`, `FILE`. */
  readonly value?: string;
  readonly about: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** What was given: a text for every option with a value, true for every switch. What was not given is absent. */
export type Given<F extends Flags> = {
  readonly [Name in keyof F]?: F[Name] extends { readonly value: string } ? string : true;
};

/** What a command found. It prints nothing itself, so the same finding serves people and machines. */
export interface Report {
  /** False when the check failed: the exit code is then 1. */
  readonly ok: boolean;
  /** For people; the first line is the answer, the others are its reasons. */
  readonly lines: readonly string[];
  /** For machines (`--json`). */
  readonly json: JsonObject;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Command {
  /** `version`, or a noun and a verb: `audit verify`. */
  readonly name: string;
  /** One line, for lists. */
  readonly summary: string;
  /** What it does, what it does not touch, and when to use it. Each text is a paragraph. */
  readonly about: readonly string[];
  readonly examples: readonly { readonly run: string; readonly why: string }[];
  readonly flags: Flags;
  readonly run: (given: Readonly<Record<string, string | true>>, surroundings: Surroundings) => Promise<Report>;
}

/** A command whose `run` sees exactly the flags it declares. */
export function defineCommand<const F extends Flags>(
  command: Omit<Command, "flags" | "run"> & {
    readonly flags: F;
    readonly run: (given: Given<F>, surroundings: Surroundings) => Promise<Report>;
  },
): Command {
  // The runner parses with these very flags before it calls, which is what the narrower parameter asks for.
  return { ...command, run: (given, surroundings) => command.run(given as Given<F>, surroundings) };
}
