import { type Clock, writeCanonicalJson } from "@gatehouse/base";
import { decodeBase64url, type FrameOf, readDrift, type SignedDrift, writeControlFrame } from "@gatehouse/channel";
import { fault, isFault } from "@gatehouse/contract/faults";
import { signatureLength } from "@gatehouse/keys";
import { splitSigned } from "@gatehouse/keys/frame";
import * as z from "zod";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { reasonOf } from "./reason-of.ts";
import { isForLater, isUnknownVerb, pauseForHelper } from "./retry.ts";

/** Has the helper hash again what was confirmed, while a server wants to know, and tells what it finds. */
export interface DriftTeller {
  /** The server takes it, and says what it has. */
  want(frame: FrameOf<"want-drift">): void;
  /** A change has ended: what is to be expected is another thing now. */
  changed(): void;
  /** The connection is gone. What was not told is found again on the next one. */
  end(): void;
}

export interface DriftTellerDeps {
  readonly ask: AskHelper;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly timers: Timers;
  readonly random: () => number;
  /** The frame that the server is sent. */
  readonly send: (text: string) => void;
  readonly log: (line: string) => void;
}

/**
 * `first` at most after a server has asked, so that many hosts do not look at once; `next` between two parts of one look; `least`
 * between two looks, however often somebody asks; `busy` while a change is open.
 */
export const driftMs = {
  first: 5_000,
  next: 12_000,
  least: 30_000,
  busy: 60_000,
  afterChange: 2_000,
  hour: 3_600_000,
  day: 86_400_000,
} as const;

const lookForm = z.strictObject({ left: z.int().nonnegative(), signed: z.string().max(60_000).optional() });

interface Known {
  /** The host's time of what the server has. */
  readonly at: number | null;
  readonly parts: number;
  /** As it was told on this connection. */
  readonly about?: string;
}

export function openDriftTeller(deps: DriftTellerDeps): DriftTeller {
  return new Teller(deps);
}

class Teller implements DriftTeller {
  readonly #deps: DriftTellerDeps;
  #known: Known | undefined;
  #stopTimer: StopTimer = () => undefined;
  /** When the next look is due, by the clock that nobody sets. */
  #due: number | undefined;
  #isLooking = false;
  #looked: number | undefined;
  #tries = 0;
  #said = "";

  constructor(deps: DriftTellerDeps) {
    this.#deps = deps;
  }

  want({ at, parts }: FrameOf<"want-drift">): void {
    this.#known = { at, parts };
    this.#soon(Math.round(this.#deps.random() * driftMs.first));
  }

  changed(): void {
    if (this.#known !== undefined) this.#soon(driftMs.afterChange);
  }

  end(): void {
    this.#known = undefined;
    this.#due = undefined;
    this.#stopTimer();
  }

  /** Not sooner after the last look than may be, and not later than is planned already. */
  #soon(ms: number): void {
    const now = this.#deps.clock.monotonic();
    const earliest = this.#looked === undefined ? now : this.#looked + driftMs.least;
    const due = Math.max(now + ms, earliest);
    if (!this.#isLooking && (this.#due === undefined || due < this.#due)) this.#plan(due - now);
    // One that is under way may have seen what was before: then once more behind it.
    if (this.#isLooking) this.#due = due;
  }

  #plan(ms: number): void {
    this.#stopTimer();
    this.#due = this.#deps.clock.monotonic() + ms;
    this.#stopTimer = this.#deps.timers.after(ms, () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#due = undefined;
    this.#isLooking = true;
    const pauseMs = await this.#ask().catch((error: unknown) => this.#fail(error));
    this.#isLooking = false;
    const now = this.#deps.clock.monotonic();
    this.#looked = now;
    if (this.#known === undefined || pauseMs === undefined) return;
    // What was asked for meanwhile comes sooner than what was planned.
    const asked = this.#due as number | undefined;
    this.#plan(asked === undefined ? pauseMs : Math.min(pauseMs, Math.max(asked - now, driftMs.least)));
  }

  /** How long until the next look. */
  async #ask(): Promise<number> {
    const { data } = lookForm.safeParse(await this.#deps.ask("drift.read"));
    if (data === undefined) throw fault("local.unavailable", "the helper's answer is no look at what was confirmed");
    this.#tries = 0;
    if (data.left > 0) return driftMs.next;
    this.#tell(data.signed ?? "");
    this.#said = "";
    return Math.round(driftMs.hour * (0.9 + this.#deps.random() * 0.2));
  }

  #tell(signed: string): void {
    const known = this.#known;
    if (known === undefined) return;
    const parts = splitSigned(decodeBase64url(signed) ?? new Uint8Array(), [signatureLength]);
    const told = parts && readDrift(parts.framed);
    if (told === undefined) throw fault("local.unavailable", "the helper has signed no look at what was confirmed");
    if (!isNews(known, told)) return;
    this.#deps.send(writeControlFrame({ t: "drift", signed }));
    this.#known = { at: told.at, parts: told.drift.parts.length, about: writeCanonicalJson(told.drift) };
  }

  #fail(error: unknown): number | undefined {
    if (isUnknownVerb(error)) return undefined;
    if (isFault(error, "slot.busy")) return driftMs.busy;
    const { code, detail } = reasonOf(error);
    const line = `what was confirmed here is not looked at: ${code}: ${detail}`;
    if (line !== this.#said) this.#deps.log(line);
    this.#said = line;
    this.#tries += 1;
    const isSoon = isForLater(error) || isFault(error, "read.rate");
    return isSoon ? driftMs.least + pauseForHelper(this.#tries, this.#deps.random()) : driftMs.hour;
  }
}

/** What differs is told on every connection, and when it changes; the rest once a day, and when the server believes something else. */
function isNews(known: Known, { at, drift }: SignedDrift): boolean {
  const isOld = known.at === null || Math.abs(at - known.at) >= driftMs.day;
  if (drift.parts.length > 0) return isOld || known.about !== writeCanonicalJson(drift);
  return known.parts > 0 || (isOld && drift.watched > 0);
}
