import { randomBytes } from "node:crypto";
import {
  channelLimits,
  type ControlFrame,
  decodeBase64url,
  encodeBase64url,
  type FrameOf,
  readStateAnswer,
  type SubjectState,
} from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import { isSignedBy, loadKeptKey, signatureLength } from "@gatehouse/keys";
import { isSameBytes, readSigned } from "@gatehouse/keys/frame";
import { fleetLimits } from "./limits.ts";
import { shown } from "./shown.ts";

/** What a host said of parts of itself, and the message that proves it. */
export interface ToldStates {
  readonly states: readonly SubjectState[];
  /** By the host's own clock. */
  readonly at: number;
  /** As the helper signed it: it can be checked with the node's id alone. */
  readonly signed: Uint8Array;
}

export interface StateQuestionDeps {
  readonly nodeId: string;
  /** Raw, in base64url, as it was when the connection began. */
  readonly hostKey: string;
  readonly send: (frame: ControlFrame) => void;
  readonly after: (ms: number, act: () => void) => () => void;
}

interface Asked {
  readonly request: string;
  readonly subjects: readonly string[];
  readonly pieces: Uint8Array[];
  readonly answer: PromiseWithResolvers<ToldStates>;
  readonly stopTimer: () => void;
}

/**
 * Asks a host what parts of it are like, one question at a time. Nothing is believed that its host key did not sign in answer to
 * this very question; a host that sends pieces nobody asked for, or more than there may be, is cut off by what this throws.
 */
export class StateQuestion {
  readonly #deps: StateQuestionDeps;
  #asked: Asked | undefined;

  constructor(deps: StateQuestionDeps) {
    this.#deps = deps;
  }

  /** Refuses with `plan.node_refused` and the host's own reason. */
  ask(subjects: readonly string[]): Promise<ToldStates> {
    if (this.#asked !== undefined) throw fault("plan.node_refused", "the host is being asked by somebody else");
    const request = encodeBase64url(randomBytes(32));
    const answer = Promise.withResolvers<ToldStates>();
    const stopTimer = this.#deps.after(fleetLimits.stateAnswerMs, () =>
      this.#refuse(`it did not answer within ${fleetLimits.stateAnswerMs / 1_000} seconds`),
    );
    this.#asked = { request, subjects, pieces: [], answer, stopTimer };
    this.#deps.send({ t: "want-state", request, subjects: [...subjects] });
    return answer.promise;
  }

  take(sent: FrameOf<"state">): void {
    const asked = this.#waiting(sent.request);
    if (asked === undefined) return;
    const bytes = decodeBase64url(sent.bytes);
    if (bytes === undefined || bytes.byteLength > channelLimits.statePieceBytes || sent.piece !== asked.pieces.length) {
      throw fault("frame.malformed", `expected piece ${asked.pieces.length} of a state`);
    }
    asked.pieces.push(bytes);
    if (asked.pieces.length < sent.pieces) return;
    this.#close();
    const told = this.#judge(asked, Buffer.concat(asked.pieces));
    if (told === undefined) {
      asked.answer.reject(fault("plan.node_refused", "its answer is not signed by the host, or not to this question"));
      throw fault("frame.malformed", "a state that the host key did not sign in answer to the question");
    }
    asked.answer.resolve(told);
  }

  takeRefusal(sent: FrameOf<"state-refused">): void {
    if (this.#waiting(sent.request) === undefined) return;
    this.#refuse(`${shown(sent.code)}: ${shown(sent.detail)}`);
  }

  /** The connection is gone. */
  end(): void {
    this.#refuse("its connection ended before it had answered");
  }

  /** The question that it answers; undefined for one that was given up meanwhile, or never asked. */
  #waiting(request: string): Asked | undefined {
    return this.#asked?.request === request ? this.#asked : undefined;
  }

  #refuse(why: string): void {
    this.#close()?.answer.reject(fault("plan.node_refused", why));
  }

  #close(): Asked | undefined {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.stopTimer();
    return asked;
  }

  #judge({ request, subjects }: Asked, signed: Uint8Array): ToldStates | undefined {
    const { nodeId, hostKey } = this.#deps;
    const read = readSigned(signed, [signatureLength], readStateAnswer);
    if (read === undefined) return undefined;
    const { value, framed, signatures } = read;
    const isRight =
      value.nodeId === nodeId &&
      isSameBytes(value.request, decodeBase64url(request) ?? new Uint8Array()) &&
      isSignedBy(loadKeptKey(decodeBase64url(hostKey) as Uint8Array, "the host key"), framed, signatures[0]) &&
      value.states.length === subjects.length &&
      value.states.every(({ subject }, index) => subject === subjects[index]);
    return isRight ? { states: value.states, at: value.at, signed } : undefined;
  }
}
