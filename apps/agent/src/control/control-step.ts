import {
  agentSubprotocol,
  channelLimits,
  closeCodeOf,
  protocolVersions,
  type WelcomeBody,
  writeControlFrame,
} from "@gatehouse/channel";
import { fault, faults, isFault } from "@gatehouse/contract/faults";
import type {
  ControlEvent,
  ControlState,
  Effect,
  Kept,
  Online,
  OutWindow,
  Step,
  Surroundings,
} from "./control-state.ts";
import { answerChallenge, checkWelcome } from "./hello-steps.ts";
import { noMinutes } from "./minute-steps.ts";
import { beatOrCut, takeFrame } from "./online-steps.ts";
import { askForMore, beginOut, crowdedMs, goOn, sendHeld } from "./out-steps.ts";
import { beginPull, forgetPulls, noPulls } from "./pull-steps.ts";
import { firstPauseMs, type Loss, pauseBefore } from "./retry.ts";

/** Facts are asked for again after so long, in case something has changed that nobody told. */
export const factsMs = 5 * 60_000;

type At = ControlState["at"];
type StateAt<Name extends At> = Extract<ControlState, { at: Name }>;
type EventOf<Name extends ControlEvent["t"]> = Extract<ControlEvent, { t: Name }>;
type Row<Name extends At> = {
  readonly [E in ControlEvent["t"]]?: (around: Surroundings, state: StateAt<Name>, event: EventOf<E>) => Step;
};

/** The next state, and what is to be done. A refusal anywhere ends the connection by its name; what has no row changes nothing. */
export function controlStep(around: Surroundings, state: ControlState, event: ControlEvent): Step {
  const row = table[state.at] as Row<At>;
  const act = row[event.t] as ((around: Surroundings, state: ControlState, event: ControlEvent) => Step) | undefined;
  if (act === undefined) return [state, []];
  try {
    return act(around, state, event);
  } catch (error) {
    if (!isFault(error)) throw error;
    return lose(around, state, { code: error.code, detail: error.detail });
  }
}

export function firstState(windowSeconds: number): ControlState {
  const kept: Kept = {
    windowSeconds,
    tries: 0,
    connectedAt: null,
    lastClose: null,
    nextTryAt: null,
    helloKey: "offered",
  };
  return { at: "waiting", kept };
}

const ended = {
  failed: (around: Surroundings, state: ControlState, { code, detail }: EventOf<"failed">) =>
    lose(around, state, { code, detail }),
  closed: (around: Surroundings, state: ControlState, event: EventOf<"closed">) => lose(around, state, closing(event)),
  stop: (_: Surroundings, state: ControlState): Step => [
    { at: "stopped", kept: { ...state.kept, connectedAt: null, nextTryAt: null } },
    [{ t: "no-timers" }, { t: "close", code: 1000, reason: "agent.stopping" }],
  ],
};

const late = (around: Surroundings, state: ControlState) =>
  lose(around, state, {
    code: "hello.timeout",
    detail: `expected a welcome within ${channelLimits.helloMs / 1_000} seconds`,
  });

const table: { readonly [Name in At]: Row<Name> } = {
  waiting: {
    start: (around, { kept }) => {
      const ms = firstPauseMs;
      const timer = { t: "timer", name: "retry", ms } as const;
      return [{ at: "waiting", kept: { ...kept, nextTryAt: around.now() + ms } }, [{ t: "follow-journal" }, timer]];
    },
    timer: (_, { kept }) => [{ at: "dialling", kept: { ...kept, nextTryAt: null } }, [{ t: "dial" }]],
    stop: ended.stop,
  },
  dialling: {
    ...ended,
    opened: (_, { kept }, { credentials, protocol, extensions }) => {
      if (protocol !== agentSubprotocol)
        throw fault("hello.order", "the server did not confirm the protocol of agents");
      if (extensions !== "") throw fault("hello.order", "the server has agreed to an extension that nobody offered");
      return [{ at: "asking", kept, credentials }, [{ t: "timer", name: "hello", ms: channelLimits.helloMs }]];
    },
  },
  asking: {
    ...ended,
    timer: late,
    message: (around, { kept, credentials }, { data }) => {
      const own = {
        versions: protocolVersions,
        agentVersion: around.agentVersion,
        cursor: around.cursor() ?? { acked: 0, last: 0 },
        nonce: around.nonce(),
      };
      const { framed, message } = answerChallenge(credentials, own, data);
      return [{ at: "proving", kept, credentials, sent: framed, message }, [{ t: "send", data: message }]];
    },
  },
  proving: {
    ...ended,
    timer: late,
    message: (around, { kept, credentials, sent, message }, { data }) => {
      const { bytes, body } = checkWelcome(credentials, sent, around.cursor(), data);
      const [next, effects] = arrive(around, kept, body);
      const isProof = credentials.probe.byteLength > 0;
      return [
        next,
        [
          ...(credentials.isOffered ? [{ t: "take-key" as const, key: credentials.channelKey }] : []),
          // First of all: a change that waits for it has a deadline. The journal is looked at when it was brought.
          isProof ? { t: "prove", proof: { hello: message, welcome: bytes } } : { t: "follow-journal" },
          ...effects,
        ],
      ];
    },
  },
  online: {
    ...ended,
    message: (around, { kept, online }, { data }) => {
      const taken = takeFrame(around, online, data);
      if (taken.bye !== undefined) return lose(around, { at: "online", kept, online }, taken.bye);
      if (taken.isKeyDue === true) return comeWithNewKey(around, kept);
      return [{ at: "online", kept, online: taken.online }, taken.effects ?? []];
    },
    timer: (around, { kept, online }, { name }) => {
      if (name === "facts") {
        const timer = { t: "timer", name: "facts", ms: factsMs } as const;
        return [
          { at: "online", kept, online },
          [{ t: "ask-facts" }, { t: "look-at-key" }, { t: "follow-witness", frame: undefined }, timer],
        ];
      }
      if (name === "outbox") return withOut(kept, online, goOn(around, online.out));
      const [next, effects] = beatOrCut(around, online);
      return [{ at: "online", kept, online: next }, effects];
    },
    kept: (around, { kept, online }) => withOut(kept, online, askForMore(around, online.out)),
    held: (around, { kept, online }, { records }) => withOut(kept, online, sendHeld(around, online.out, records)),
    crowded: (_, { kept, online }) =>
      withOut(kept, online, [{ ...online.out, reading: "paused" }, [{ t: "timer", name: "outbox", ms: crowdedMs }]]),
    facts: (_, { kept, online }, { about, text }) => {
      if (about === online.told) return [{ at: "online", kept, online }, []];
      return [{ at: "online", kept, online: { ...online, told: about } }, [{ t: "send", data: text }]];
    },
    step: (_, { kept, online }, { text }) => {
      if (text === online.step) return [{ at: "online", kept, online }, []];
      return [{ at: "online", kept, online: { ...online, step: text } }, [{ t: "send", data: text }]];
    },
    offer: (_, { kept, online }, { text }) => [
      { at: "online", kept: { ...kept, helloKey: "offered" }, online: { ...online, offeredAfter: online.sent } },
      [
        { t: "send", data: text },
        { t: "log", line: "the server was offered another channel key" },
      ],
    ],
    answered: (_, { kept, online }, { what, texts }) => {
      const asking = online.asking.filter((each) => each !== what);
      const pulls = what === "task" ? forgetPulls(online.pulls) : online.pulls;
      const effects = texts.map((data): Effect => ({ t: "send", data }));
      return [{ at: "online", kept, online: { ...online, asking, pulls } }, effects];
    },
    pull: (_, { kept, online }, { piece }) => {
      const [pulls, effects] = beginPull(online.pulls, piece);
      return [{ at: "online", kept, online: { ...online, pulls } }, effects];
    },
    witness: (_, state, { text }) => [state, [{ t: "send", data: text }]],
    logs: (_, { kept, online }, { seq, text }) => [
      { at: "online", kept, online: { ...online, logs: seq } },
      [{ t: "send", data: text }],
    ],
    stop: (around, state) => {
      const [next, effects] = ended.stop(around, state);
      return [next, [{ t: "send", data: writeControlFrame({ t: "bye", code: "agent.stopping" }) }, ...effects]];
    },
  },
  stopped: {},
};

function withOut(kept: Kept, online: Online, [out, effects]: readonly [OutWindow, readonly Effect[]]): Step {
  return [{ at: "online", kept, online: { ...online, out } }, effects];
}

function arrive(
  around: Surroundings,
  kept: Kept,
  { acked, beatSeconds, windowSeconds, serverTime }: Omit<WelcomeBody, "head">,
): Step {
  const now = around.now();
  const beatMs = beatSeconds * 1_000;
  const second = { from: around.monotonic(), messages: 0 };
  const own = around.cursor()?.acked ?? acked;
  const [out, asks] = beginOut(around, acked);
  const online: Online = {
    beatMs,
    sent: 0,
    acked: 0,
    second,
    told: undefined,
    step: undefined,
    out,
    offeredAfter: undefined,
    asking: [],
    pulls: noPulls,
    minutes: noMinutes,
    logs: 0,
  };
  const skew = Math.round((serverTime - now) / 1_000);
  return [
    { at: "online", kept: { ...kept, windowSeconds, tries: 0, connectedAt: now, nextTryAt: null }, online },
    [
      { t: "no-timers" },
      { t: "log", line: "connected" },
      // It only tells: nothing is decided by a time that somebody else says.
      ...(Math.abs(skew) > 60
        ? [{ t: "log" as const, line: `the server's clock is ${skew} seconds from this one` }]
        : []),
      ...(windowSeconds === kept.windowSeconds ? [] : [{ t: "keep-window" as const, seconds: windowSeconds }]),
      { t: "ask-facts" },
      { t: "look-at-key" },
      { t: "follow-witness", frame: undefined },
      ...(acked > own ? [{ t: "acknowledged" as const, seq: acked }] : []),
      ...(acked < own ? [{ t: "rewound" as const, seq: acked }] : []),
      ...asks,
      // Ten thousand that came back at once do not beat at once.
      { t: "timer", name: "beat", ms: Math.round(around.random() * beatMs) },
      { t: "timer", name: "facts", ms: factsMs },
    ],
  ];
}

/** The connection is said anew with the offered key: the welcome to it is the only answer that nobody on the way could give. */
function comeWithNewKey(around: Surroundings, kept: Kept): Step {
  const ms = pauseBefore(
    { code: "bye", wasOnline: false, tries: 1, windowSeconds: kept.windowSeconds },
    around.random(),
  );
  const goodbye = "agent.new_key";
  return [
    { at: "waiting", kept: { ...kept, connectedAt: null, nextTryAt: around.now() + ms } },
    [
      { t: "send", data: writeControlFrame({ t: "bye", code: goodbye }) },
      { t: "no-timers" },
      { t: "close", code: 1000, reason: goodbye },
      { t: "timer", name: "retry", ms },
    ],
  ];
}

interface Reason extends Pick<Loss, "code" | "retryAfter"> {
  readonly detail: string;
}

function lose(around: Surroundings, state: ControlState, { code, detail, retryAfter }: Reason): Step {
  const { kept } = state;
  const wasOnline = state.at === "online";
  const tries = kept.tries + 1;
  const { windowSeconds } = kept;
  const loss = { code, wasOnline, tries, windowSeconds, ...(retryAfter === undefined ? {} : { retryAfter }) };
  const ms = pauseBefore(loss, around.random());
  const now = around.now();
  const lastClose = { at: now, code, detail: detail.slice(0, 1_000) };
  const effects: Effect[] = [
    { t: "no-timers" },
    { t: "close", code: closeCodeOf(code), reason: code },
    { t: "log", line: `not connected: ${code}: ${detail}; the next attempt is in ${Math.ceil(ms / 1_000)} seconds` },
    { t: "timer", name: "retry", ms },
  ];
  const helloKey = code === "hello.node_signature" && state.at === "proving" ? otherKey(state) : kept.helloKey;
  const after = { ...kept, tries, connectedAt: null, lastClose, nextTryAt: now + ms, helloKey };
  return [{ at: "waiting", kept: after }, effects];
}

function otherKey({ credentials }: StateAt<"proving">): Kept["helloKey"] {
  return credentials.isOffered ? "proved" : "offered";
}

/** The other end's reason counts when it is a name of the table; whatever else it says is not repeated. */
function closing({ code, reason }: EventOf<"closed">): Reason {
  if (!Object.hasOwn(faults, reason)) return { code: "closed", detail: `the server ended the connection (${code})` };
  return { code: reason, detail: `the server ended the connection (${code})` };
}
