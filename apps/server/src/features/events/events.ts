import { addToCount, openTurns } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { eventsRoute } from "@gatehouse/contract/routes";
import type { RecordKind } from "@gatehouse/contract/records";
import type { AuditRecord, Store } from "@gatehouse/store";
import type { Bus } from "../../platform/bus/index.ts";
import {
  type Principal,
  type Route,
  route,
  type SeenNodes,
  type Sink,
  StreamReply,
  type WatchPrincipal,
} from "../../platform/route/index.ts";
import { audienceOf, type Listener, mayHear, mayHearSteps, visibleTo } from "./audience.ts";
import { ChangeStream } from "./change-stream.ts";
import { openChanges } from "./changes.ts";
import { eventLimits } from "./limits.ts";

export { eventLimits } from "./limits.ts";

export interface EventsDeps {
  readonly store: Pick<Store, "searchAudit" | "head">;
  readonly bus: Pick<Bus, "subscribe">;
  /** Every kind of record there is; each says with which scope one hears of its changes. */
  readonly kinds: readonly RecordKind[];
  readonly watchPrincipal: WatchPrincipal;
  /** Calls again and again; returns the way to stop. */
  readonly every: (ms: number, act: () => void) => () => void;
  /** Resolves after so many milliseconds. */
  readonly later: (ms: number) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

export interface Events {
  readonly routes: readonly Route[];
  openStreams(): number;
  close(): void;
}

/** Who listens, from where. */
interface Beginning {
  readonly principal: Principal;
  readonly seen: SeenNodes;
  readonly position: number;
  /** The position is not the one that was asked for. */
  readonly isReset: boolean;
}

/** `GET /api/events`: the dashboard is pushed to, it does not poll. */
export function openEvents(deps: EventsDeps): Events {
  const changes = openChanges(deps.store, deps.bus);
  const audience = audienceOf(deps.kinds);
  const live = new Map<ChangeStream, Listener>();
  const perUser = new Map<string, number>();
  const inTurn = openTurns();
  const stopBeats = deps.every(eventLimits.beatMs, () => {
    changes.refresh();
    for (const stream of live.keys()) stream.beat();
  });
  const stopNews = changes.onNews(() => {
    for (const stream of live.keys()) stream.pull();
  });
  const stopPresence = deps.bus.subscribe("presence", ({ nodes }) => {
    for (const [stream, listener] of live) {
      const seen = visibleTo(listener, nodes);
      if (seen.length > 0) stream.note(`event: presence\ndata: ${JSON.stringify({ nodes: seen })}\n\n`);
    }
  });
  const stopSteps = deps.bus.subscribe("steps", ({ plans }) => {
    for (const [stream, listener] of live) {
      if (mayHearSteps(listener)) stream.note(`event: steps\ndata: ${JSON.stringify({ plans })}\n\n`);
    }
  });

  const refuseIfFull = (user: string) => {
    const own = perUser.get(user) ?? 0;
    if (own >= eventLimits.streamsPerUser) throw tooMany(`this user has ${own} streams open, the most there may be`);
    if (live.size >= eventLimits.streams)
      throw tooMany(`${eventLimits.streams} streams are open, the most there may be`);
  };

  const start =
    ({ principal, seen, position, isReset }: Beginning) =>
    (sink: Sink) => {
      const listener = { scopes: principal.scopes, seen };
      const hears = (record: AuditRecord) => mayHear(audience, listener, record);
      const rest = () => inTurn([principal.id], () => deps.later(eventLimits.pageRestMs));
      const stream = new ChangeStream({ changes, sink, mayHear: hears, rest, onError: deps.onError }, position);
      live.set(stream, listener);
      addToCount(perUser, principal.id, 1);
      const unwatch = deps.watchPrincipal(principal, () => sink.end());
      stream.begin(shortestRetryMs + Math.floor(deps.random() * shortestRetryMs));
      if (isReset) stream.reset();
      return () => {
        stream.end();
        live.delete(stream);
        addToCount(perUser, principal.id, -1);
        unwatch();
      };
    };

  const open = route(eventsRoute, async ({ principal, nodes, query, headers }) => {
    const head = await changes.head();
    const asked = headers["last-event-id"] ?? query.after;
    const after = asked === undefined ? head : Number(asked);
    // A position beyond the end is of another log: the data was restored from a backup.
    const isReset = after > head || head - after > eventLimits.replayItems;
    const position = isReset ? head : after;
    const { mediaType } = eventsRoute.responses[200];
    return nodes.answer((seen) => {
      const admit = () => refuseIfFull(principal.id);
      return new StreamReply(mediaType, { admit, start: start({ principal, seen, position, isReset }) });
    });
  });

  return {
    routes: [open],
    openStreams: () => live.size,
    close: () => {
      stopBeats();
      stopNews();
      stopPresence();
      stopSteps();
    },
  };
}

/** Readers of a server that stopped come back spread over this time, after as much. */
const shortestRetryMs = 2_000;

function tooMany(detail: string): Error {
  return fault("events.too_many_streams", detail, { fields: { retryAfter: 5 } });
}
