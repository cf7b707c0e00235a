import type { ControlFrame } from "@gatehouse/channel";
import type { Random } from "../support/random.ts";

/** Where a connection is when the server turns evil. */
export const stages = ["first", "between", "open", "gone"] as const;

/**
 * `first`: in place of its challenge. `between`: after the agent's hello, before the welcome. `open`: after the welcome. `gone`: behind its
 * own goodbye.
 */
export type Stage = (typeof stages)[number];

/** A message as a WebSocket carries it. */
export type Message = string | Uint8Array;

/** Bytes in place of a frame of a WebSocket. Nothing comes behind them: nobody could say where it begins. */
export interface RawBytes {
  readonly raw: Uint8Array;
}

/** What an evil server has to work with: it is the real one, stolen. */
export interface EvilGround {
  readonly random: Random;
  /** Signs with the server's own key, and gives the signed message. */
  readonly sign: (framed: Uint8Array) => Uint8Array;
  /** The agent's hello on this connection; empty before it. */
  readonly hello: Uint8Array;
  /** The challenge that an honest server would send now. */
  readonly challenge: Uint8Array;
}

/** One connection of an evil server. */
export interface EvilCase {
  readonly name: string;
  readonly stage: Stage;
  /** The type that it names, as it would be meant. */
  readonly type?: string;
  readonly make: (ground: EvilGround) => readonly Message[] | RawBytes;
  /** The server waits for this answer before it goes: one of these codes and no other. */
  readonly answer?: { readonly t: "state-refused" | "task-refused"; readonly codes: readonly string[] };
  /** What the server sends to what it hears, while it waits for the answer. */
  readonly hears?: (frame: ControlFrame) => readonly Message[];
  /** How the agent has to call its end. Without one any name of the fault table is as good. */
  readonly expected?: string;
}
