import type { KeyObject } from "node:crypto";
import type { FrameOf } from "@gatehouse/channel";
import type { HeldMinute } from "../measure/minute-book.ts";
import type { OutRecord } from "../outbox/outbox-format.ts";
import type { Cursor } from "../outbox/outbox.ts";
import type { Credentials } from "./hello-steps.ts";
import type { PathProof } from "./path-proof.ts";

/** What is kept over all connections. */
export interface Kept {
  readonly windowSeconds: number;
  readonly tries: number;
  readonly connectedAt: number | null;
  readonly lastClose: { readonly at: number; readonly code: string; readonly detail: string } | null;
  readonly nextTryAt: number | null;
  /** Which channel key the next hello is said with, when there are two. A refusal changes to the other one. */
  readonly helloKey: "offered" | "proved";
}

/** Where the connection is. */
export type ControlState = { readonly kept: Kept } & (
  | { readonly at: "waiting" }
  | { readonly at: "dialling" }
  /** Open; the server has to say who it is. */
  | { readonly at: "asking"; readonly credentials: Credentials }
  /** The hello is sent, here without and with its signature; the server has to prove who it is. */
  | {
      readonly at: "proving";
      readonly credentials: Credentials;
      readonly sent: Uint8Array;
      readonly message: Uint8Array;
    }
  | { readonly at: "online"; readonly online: Online }
  | { readonly at: "stopped" }
);

export interface Online {
  readonly beatMs: number;
  /** Numbers of the last beat, and of the last that was acknowledged. */
  readonly sent: number;
  readonly acked: number;
  /** Messages of the running second. */
  readonly second: { readonly from: number; readonly messages: number };
  /** What the server was told of this host on this connection. */
  readonly told: string | undefined;
  /** And how far the open change is. */
  readonly step: string | undefined;
  readonly out: OutWindow;
  /** How many beats were sent when the server was offered another channel key. */
  readonly offeredAfter: number | undefined;
  /** What the helper is being asked for the server. */
  readonly asking: readonly Asked[];
  readonly pulls: Pulls;
  readonly minutes: MinuteWindow;
  /** The number of the last message with lines of logs. */
  readonly logs: number;
}

/** Which of the held minutes this connection has carried, by their numbers. */
export interface MinuteWindow {
  /** The highest that was sent. */
  readonly sent: number;
  /** Those that no beat behind them has acknowledged, in order: the beat, and how far they go. */
  readonly underWay: readonly { readonly beat: number; readonly upTo: number }[];
}

/** What this connection has asked of the server. */
export interface Pulls {
  /** The number of the last one. */
  readonly last: number;
  /** Those that are not answered. */
  readonly open: readonly OpenPull[];
}

export interface OpenPull {
  readonly request: number;
  readonly offset: number;
  readonly length: number;
  /** Whether anybody still waits for it. */
  readonly isWanted: boolean;
}

/** Bytes of a part that a change has named. */
export interface WantedPiece {
  readonly sha256: string;
  readonly offset: number;
  readonly length: number;
}

export type PullAnswer = { readonly bytes: Uint8Array } | { readonly ended: string };

/** What the server may ask of this host; one of each at a time. */
export type Asked = "state" | "task";

/** What of the outbox is under way on this connection. */
export interface OutWindow {
  /** The highest that was sent, or that the server had when it began. */
  readonly sent: number;
  /** Those that were sent and are not acknowledged, in order. */
  readonly underWay: readonly number[];
  /** Whether the outbox is being asked; `again` when there is news since, `paused` until a timer. */
  readonly reading: "no" | "yes" | "again" | "paused";
  /** Messages of the running second. */
  readonly second: { readonly from: number; readonly messages: number };
}

export type TimerName = "retry" | "hello" | "beat" | "facts" | "outbox";

export type ControlEvent =
  | { readonly t: "start" }
  | { readonly t: "timer"; readonly name: TimerName }
  | {
      readonly t: "opened";
      readonly credentials: Credentials;
      readonly protocol: string;
      readonly extensions: string;
    }
  | { readonly t: "message"; readonly data: string | Uint8Array }
  | { readonly t: "closed"; readonly code: number; readonly reason: string }
  /** There is no connection: a name of the fault table, and what was found. */
  | { readonly t: "failed"; readonly code: string; readonly detail: string }
  /** The helper has signed: `about` is what it says, without number and time. */
  | { readonly t: "facts"; readonly about: string; readonly text: string }
  /** The helper has signed another channel key, and it is on the disk. */
  | { readonly t: "offer"; readonly text: string }
  /** The outbox has something new. */
  | { readonly t: "kept" }
  /** The outbox was asked, and holds these. */
  | { readonly t: "held"; readonly records: readonly OutRecord[] }
  /** The connection has enough to send; the outbox was not asked. */
  | { readonly t: "crowded" }
  /** The helper has answered what the server asked: the frames that say so. */
  | { readonly t: "answered"; readonly what: Asked; readonly texts: readonly string[] }
  /** The change that is carried needs a piece. */
  | { readonly t: "pull"; readonly piece: WantedPiece }
  /** How far the open change is: the frame that says so. */
  | { readonly t: "step"; readonly text: string }
  /** Lines of logs: the frame that has them. */
  | { readonly t: "logs"; readonly seq: number; readonly text: string }
  /** About the server's log: the frame that says it. */
  | { readonly t: "witness"; readonly text: string }
  | { readonly t: "stop" };

export type Effect =
  | { readonly t: "dial" }
  | { readonly t: "send"; readonly data: string | Uint8Array }
  | { readonly t: "close"; readonly code: number; readonly reason: string }
  | { readonly t: "timer"; readonly name: TimerName; readonly ms: number }
  | { readonly t: "no-timers" }
  | { readonly t: "ask-facts" }
  /** Asks for facts only when the ceiling's file is another one. */
  | { readonly t: "look-at-ceiling" }
  /** Answered by `offer` when it is time for another channel key. */
  | { readonly t: "look-at-key" }
  /** The server has welcomed the offered key: the one before is let go. */
  | { readonly t: "take-key"; readonly key: KeyObject }
  /** Answered by `held` or by `crowded`. */
  | { readonly t: "read-outbox"; readonly after: number; readonly limit: number }
  | { readonly t: "acknowledged"; readonly seq: number }
  /** The server has the measured minutes up to this number. */
  | { readonly t: "minutes-taken"; readonly upTo: number }
  /** The server has less than it once acknowledged. */
  | { readonly t: "rewound"; readonly seq: number }
  /** Notes the status when the outbox has another length. */
  | { readonly t: "look-at-outbox" }
  /** Both are answered by `answered`, whatever the helper says. */
  | { readonly t: "read-state"; readonly frame: FrameOf<"want-state"> }
  | { readonly t: "submit-task"; readonly frame: FrameOf<"task"> }
  /** The server takes lines of logs, or has taken some. */
  | { readonly t: "follow-logs"; readonly frame: FrameOf<"want-logs"> | FrameOf<"logs-ack"> }
  /** There is a connection, over which heads of the server's log come; or one has come. */
  | { readonly t: "follow-witness"; readonly frame: FrameOf<"head"> | FrameOf<"heads"> | undefined }
  /** What the server has answered to the pull that is waited for. */
  | { readonly t: "pulled"; readonly answer: PullAnswer }
  /** Looks at what the helper has written down about changes. */
  | { readonly t: "follow-journal" }
  /** The server has signed the helper's probe: the helper is shown. */
  | { readonly t: "prove"; readonly proof: PathProof }
  | { readonly t: "log"; readonly line: string }
  | { readonly t: "keep-window"; readonly seconds: number };

/** What a step may use besides the state. */
export interface Surroundings {
  readonly now: () => number;
  readonly monotonic: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly nonce: () => Uint8Array;
  readonly agentVersion: string;
  /** Undefined while the disk does not say. */
  readonly cursor: () => Cursor | undefined;
  /** The measured minutes behind a number, as many as one message has; none while the connection has enough to send. */
  readonly minutes: (after: number) => readonly HeldMinute[];
}

export type Step = readonly [ControlState, readonly Effect[]];
