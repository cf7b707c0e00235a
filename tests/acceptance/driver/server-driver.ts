import type { Ended } from "./program.ts";
import type { Lines } from "./lines.ts";

/** `SERVICE_*` variables, exactly as the server gets them. */
export type Settings = Readonly<Record<string, string>>;

/** The two variables of a first boot (contract 5). */
export const firstAdministrator: Settings = {
  SERVICE_ADMIN_USERNAME: "admin",
  SERVICE_ADMIN_PASSWORD: "correct horse battery staple",
};

export interface StartOptions {
  readonly settings?: Settings;
  /** Where the data lies; a fresh, absent directory unless it is given. */
  readonly dataDir?: string;
  /** Nothing but the settings above: no address, no data directory, no administrator. Relative paths begin at `cwd`. */
  readonly bare?: { readonly cwd: string };
}

/** One server that answers. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** The server's own log. */
  readonly log: Lines;
  readonly isRunning: () => boolean;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
  /** Sends the signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

/** A command that ran to its end. */
export interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * How the suite reaches the product: processes now, containers later. Tests know this interface and nothing below it,
 * so a driver for another form of the product makes the same tests run on it.
 */
export interface ServerDriver {
  /** Resolves when the server says that it listens; rejects with its words when it ends instead. */
  readonly start: (options?: StartOptions) => Promise<RunningServer>;
  /** A start that is expected to end by itself: a refused one, or `--help`. */
  readonly run: (words: readonly string[], options?: StartOptions) => Promise<Run>;
  /** `gatehouse …`, offline, beside the server. */
  readonly gatehouse: (words: readonly string[], settings?: Settings) => Promise<Run>;
}
