import type { Random } from "../../support/random.ts";
import type { EvilCase } from "../evil-case.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import type { Found } from "./found.ts";
import type { HostWish, RowHost } from "./row-host.ts";

/** As many rows as the table of attacks of the design has. */
export const tableRows = 299;

/** What a row has to attack with: one host, laid anew for each wish, and held against what it was before that and at the end. */
export interface RowGround {
  readonly machine: AttackedMachine;
  /** The host with a helper that is far from every limit. One that was opened before with another wish is no more. */
  readonly open: (wish?: HostWish) => Promise<RowHost>;
  /** One connection of the stolen server with the agent: how the agent calls its end, or what it answers to what it was asked. */
  readonly connect: (evil: EvilCase, wish?: HostWish) => Promise<Found>;
  /** A command of the agent as the network part runs it; with these words and this input. */
  readonly command: (
    wish: HostWish,
    args: readonly string[],
    input?: (machine: AttackedMachine) => string,
  ) => Promise<Found>;
  /** Draws for this row alone. */
  readonly random: Random;
}

/** A row of the table as a script. */
export interface ScriptRow {
  readonly row: number;
  readonly does: string;
  /** One code for every attempt, or one for each in their order. */
  readonly expects: string | readonly string[];
  readonly attack: (ground: RowGround) => Promise<Found | readonly Found[]>;
  /** The bounded effect that the row names: it has to be found, and nothing else may change. */
  readonly mayChange?: RegExp;
}

/** A row that a test shows which stands elsewhere. */
export interface NamedRow {
  readonly row: number;
  readonly does: string;
  readonly by: string;
  /** As it stands in that file. */
  readonly name: string;
  /** Which case of it, where the test has several. */
  readonly of?: string;
}

export type Row = ScriptRow | NamedRow;

/** Rows about one thing. The control is what they are made from, with nothing wrong: it changes the host. */
export interface RowFamily {
  readonly name: string;
  readonly control: Omit<ScriptRow, "row"> & Required<Pick<ScriptRow, "mayChange">>;
  readonly rows: readonly Row[];
}

export function isScript(row: Row): row is ScriptRow {
  return "attack" in row;
}
