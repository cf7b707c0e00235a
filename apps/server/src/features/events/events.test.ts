import { setImmediate as turn } from "node:timers/promises";
import { fault, isFault } from "@gatehouse/contract";
import { pluginKind } from "@gatehouse/contract/records";
import type { Store } from "@gatehouse/store";
import { memoryStore } from "@gatehouse/store/far";
import { describe, expect, test } from "vitest";
import { inventedEntry } from "../../../../../tests/support/invented-entry.ts";
import { until } from "../../../../../tests/support/until.ts";
import { farStore } from "../../../test/far-store.ts";
import { StreamReader as Reader } from "../../../test/stream-reader.ts";
import { type Bus, inProcessBus } from "../../platform/bus/index.ts";
import { NodeFilter, type Principal, StreamReply } from "../../platform/route/index.ts";
import { eventLimits, openEvents } from "./index.ts";

const auditor: Principal = {
  id: "usr_1",
  credential: { kind: "session", id: "s1" },
  scopes: new Set(["audit:read"]),
  authenticatedAt: 0,
};

interface Asked {
  readonly lastEventId?: string;
  readonly after?: string;
  readonly principal?: Principal;
  readonly nodes?: ReadonlySet<string>;
  readonly reader?: Reader;
}

function setUp(options: { store?: Store; bus?: Bus; rest?: () => Promise<void> } = {}) {
  const { rest = () => Promise.resolve() } = options;
  const rests: number[] = [];
  const store = options.store ?? farStore();
  const errors: unknown[] = [];
  const bus = options.bus ?? inProcessBus({ namespace: "test", onListenerError: (error) => errors.push(error) });
  store.follow((committed) => bus.publish("audit.moved", { position: committed.at(-1)?.position ?? 0 }));
  let beat = () => undefined as void;
  const revocations = new Set<() => void>();
  const events = openEvents({
    store,
    kinds: [pluginKind],
    bus,
    watchPrincipal: (_, onRevoked) => {
      revocations.add(onRevoked);
      return () => void revocations.delete(onRevoked);
    },
    every: (_, act) => {
      beat = act;
      return () => undefined;
    },
    later: (ms) => {
      rests.push(ms);
      return rest();
    },
    random: () => 0.5,
    onError: (error) => errors.push(error),
  });
  const request = { requestId: "r", method: "GET", path: "/api/events", clientAddress: "::1", now: 0 };
  const open = async (asked: Asked = {}) => {
    const { reader = new Reader(), principal = auditor } = asked;
    const nodes = new NodeFilter(asked.nodes);
    const given = await events.routes[0]?.handle({
      principal,
      nodes,
      params: undefined,
      query: { after: asked.after },
      headers: { "last-event-id": asked.lastEventId },
      body: undefined,
      request,
    });
    const reply = nodes.dataOf(given);
    if (!(reply instanceof StreamReply)) throw new Error("not a stream");
    reply.admit();
    return { reader, stop: reply.start(reader) };
  };
  const commit = async (count: number, action = "test.made") => {
    for (let i = 0; i < count; i += 1)
      await store.commit(inventedEntry({ at: 1_700_000_000_000, actor: "system", action, subject: "test/1" }));
  };
  return { store, bus, events, open, commit, errors, rests, beat: () => beat(), revocations };
}

/** Takes every hint and passes none on. */
const deafBus: Bus = {
  publish: () => undefined,
  subscribe: () => () => undefined,
  ready: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

const told = (count: number) => (text: string) => (text.match(/event: change/g)?.length ?? 0) >= count;
const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);

describe("a stream", () => {
  test("begins with a spread retry time and an id, then tells each change once", async () => {
    const { open, commit } = setUp();
    await commit(2);
    const { reader } = await open();
    await commit(2);
    await reader.until(told(2));
    expect(reader.text).toBe(
      'retry: 3000\nevent: ping\nid: 2\ndata: {"position":2}\n\nevent: change\nid: 3\ndata: {"position":3,"at":"2023-11-14T22:13:20.000Z","action":"test.made","subject":"test/1"}\n\nevent: change\nid: 4\ndata: {"position":4,"at":"2023-11-14T22:13:20.000Z","action":"test.made","subject":"test/1"}\n\n',
    );
  });

  test("resumes after Last-Event-ID, through many pages and into the present, without a gap or a repeat", async () => {
    const { open, commit } = setUp();
    await commit(eventLimits.pageItems * 3 + 7);
    const opening = open({ lastEventId: "5", after: "99" });
    await commit(50);
    const { reader } = await opening;
    await commit(50);
    const last = eventLimits.pageItems * 3 + 107;
    await reader.until((text) => text.includes(`id: ${last}\n`));
    expect(reader.positions()).toEqual(upTo(last - 5, 6));
  });

  test("can begin at a position in the query, and at the very start", async () => {
    const { open, commit } = setUp();
    await commit(3);
    const late = await open({ after: "2" });
    await late.reader.until(told(1));
    expect(late.reader.positions()).toEqual([3]);
    const first = await open({ lastEventId: "0" });
    await first.reader.until(told(3));
    expect(first.reader.positions()).toEqual([1, 2, 3]);
  });

  test("of another log is told to read everything again", async () => {
    const { open, commit } = setUp();
    await commit(3);
    const { reader } = await open({ lastEventId: "900" });
    await reader.until((text) => text.includes("event: reset"));
    expect(reader.text).toContain('event: reset\nid: 3\ndata: {"position":3}\n\n');
    await commit(1);
    await reader.until(told(1));
    expect(reader.positions()).toEqual([4]);
  });

  test("that is too far behind is told to read everything again, instead of every change there was", async () => {
    const { store, open } = setUp({ store: memoryStore() });
    const far = { ...store, head: () => Promise.resolve({ position: eventLimits.replayItems + 1 } as never) };
    const behind = await setUp({ store: far }).open({ lastEventId: "0" });
    expect(behind.reader.text).toContain(`event: reset\nid: ${eventLimits.replayItems + 1}\n`);
    expect(behind.reader.positions()).toEqual([]);
    const near = await open({ lastEventId: "0" });
    expect(near.reader.text).not.toContain("event: reset");
  });

  test("that catches up rests after every full page; all streams of one user rest one after the other", async () => {
    const waiting: (() => void)[] = [];
    const rest = () => new Promise<void>((resolve) => void waiting.push(resolve));
    const { open, commit, rests } = setUp({ rest, store: memoryStore() });
    await commit(eventLimits.pageItems * 2 + 1);
    const readers = await Promise.all([open({ after: "0" }), open({ after: "0" })]);
    const other = await open({ after: "0", principal: { ...auditor, id: "usr_2" } });
    const full = told(eventLimits.pageItems);
    await Promise.all([...readers, other].map(({ reader }) => reader.until(full)));
    await until("two users rest", () => waiting.length === 2);
    expect(rests).toEqual([eventLimits.pageRestMs, eventLimits.pageRestMs]);
    for (const { reader } of [...readers, other]) expect(reader.positions()).toHaveLength(eventLimits.pageItems);
    // Everybody arrives: four rests of the one user, two of the other.
    const isDone = () =>
      [...readers, other].every(({ reader }) => reader.positions().length === eventLimits.pageItems * 2 + 1);
    await until("all are told everything", () => {
      for (const resume of waiting.splice(0)) resume();
      return isDone();
    });
    expect(rests).toHaveLength(6);
  });

  test("whose next changes were pruned is told so, then goes on", async () => {
    const { store, open, commit } = setUp();
    await commit(10);
    await store.pruneAudit({ actor: "system", at: 1 }, 6);
    const { reader } = await open({ lastEventId: "2" });
    await reader.until((text) => text.includes("id: 11\n"));
    expect(reader.text).toContain('event: reset\nid: 6\ndata: {"position":6}');
    expect(reader.positions()).toEqual([7, 8, 9, 10, 11]);
  });

  test("tells nobody what they may not hear, but moves their id on", async () => {
    const { open, commit, beat } = setUp();
    const viewer = { ...auditor, id: "usr_2", scopes: new Set(["plugin:admin"] as const) };
    const { reader } = await open({ principal: viewer });
    await commit(1, "user.created");
    await commit(1, "plugin.installed");
    await commit(1, "user.removed");
    await reader.until(told(1));
    expect(reader.positions()).toEqual([2]);
    expect(reader.text).not.toContain("user.");
    const other = await open();
    await commit(1, "user.created");
    await other.reader.until(told(1));
    await until("a beat tells the id", () => {
      beat();
      return reader.text.endsWith('event: ping\nid: 4\ndata: {"position":4}\n\n');
    });
    expect(reader.positions()).toEqual([2]);
  });

  test("tells everybody that contributions changed, and nobody without the scope which plugin it was", async () => {
    const { open, commit } = setUp();
    const nobody = { ...auditor, id: "usr_3", scopes: new Set([]) };
    const { reader } = await open({ principal: nobody, nodes: new Set(["node_00000000000000000000000001"]) });
    const { reader: hearing } = await open();
    await commit(1, "plugin.installed");
    await commit(1, "plugin.activated");
    await reader.until((text) => text.includes("event: contributions"));
    expect(reader.text.slice(reader.text.indexOf("event: contributions"))).toBe(
      'event: contributions\nid: 2\ndata: {"position":2}\n\n',
    );
    expect(reader.text).not.toContain("plugin");
    await hearing.until((text) => text.includes("event: contributions"));
    expect(hearing.positions()).toEqual([1, 2]);
    expect(hearing.text.match(/event: contributions/g)).toHaveLength(1);
  });

  test("reads the store on every beat: with a bus that loses everything nothing is missed and nothing told twice", async () => {
    // In memory: the moment at which a reader is told is the subject, and so it must be idle before every commit.
    const { open, commit, beat } = setUp({ bus: deafBus, store: memoryStore() });
    const { reader } = await open();
    for (let round = 1; round <= 5; round += 1) {
      await turn();
      await commit(2);
      await turn();
      expect(reader.positions()).toEqual(upTo(2 * round - 2));
      beat();
      await reader.until(told(2 * round));
      expect(reader.positions()).toEqual(upTo(2 * round));
    }
    // One that comes in between has caught up with the others at the next beat.
    await commit(1);
    const late = await open({ after: "8" });
    await commit(1);
    beat();
    await Promise.all([reader.until(told(12)), late.reader.until(told(4))]);
    expect([reader.positions(), late.reader.positions()]).toEqual([upTo(12), upTo(4, 9)]);
  });

  test("ends when its user loses the credential, and lets go of everything", async () => {
    const { open, events, revocations } = setUp();
    const { reader, stop } = await open();
    expect(events.openStreams()).toBe(1);
    for (const revoke of revocations) revoke();
    expect(reader.isEnded).toBe(true);
    stop();
    expect([events.openStreams(), revocations.size]).toEqual([0, 0]);
  });

  test("is cut and reported when the store cannot be read, and the next one works", async () => {
    const store = farStore();
    let isBroken = true;
    const searchAudit: Store["searchAudit"] = (query) =>
      isBroken ? Promise.reject(new Error("disk")) : store.searchAudit(query);
    const { open, commit, errors } = setUp({ store: { ...store, searchAudit } });
    const { reader } = await open();
    await commit(1);
    await until("the reader is cut", () => reader.isCut);
    expect(errors.length).toBeGreaterThan(0);
    isBroken = false;
    const again = await open({ lastEventId: "0" });
    await again.reader.until(told(1));
  });
});

describe("a log that is damaged", () => {
  test("keeps the stream open and has the reader read everything again, once a beat", async () => {
    const store = farStore();
    let isDamaged = true;
    const searchAudit: Store["searchAudit"] = (query) =>
      isDamaged ? Promise.reject(fault("store.log_damaged", "…")) : store.searchAudit(query);
    const { open, commit, beat, errors } = setUp({ store: { ...store, searchAudit } });
    const { reader } = await open();
    const resets = (count: number) => (text: string) => (text.match(/event: reset/g)?.length ?? 0) >= count;
    await reader.until(resets(1));
    await commit(3);
    await turn();
    beat();
    await reader.until(resets(2));
    expect([reader.isCut, errors.length, reader.text.match(/event: reset/g)?.length]).toEqual([false, 2, 2]);
    isDamaged = false;
    beat();
    await reader.until(told(3));
    expect(reader.positions()).toEqual([1, 2, 3]);
  });
});

describe("a slow reader", () => {
  test("costs bounded memory, is not written to while it is stuck, and misses nothing when it comes back", async () => {
    const { open, commit } = setUp();
    const total = 6_000;
    await commit(total);
    const reader = new Reader();
    reader.isStuck = true;
    await open({ lastEventId: "0", reader });
    await reader.until((text) => text.length > eventLimits.queuedBytes);
    await commit(1);
    const most = eventLimits.queuedBytes + eventLimits.pageItems * 200;
    expect(reader.queued()).toBeLessThan(most);
    reader.drain();
    await reader.until((text) => text.includes(`id: ${total + 1}\n`));
    expect(reader.positions()).toEqual(upTo(total + 1));
  });

  test("that takes nothing for two beats is cut", async () => {
    const { open, commit, beat } = setUp();
    await commit(3_000);
    const reader = new Reader();
    reader.isStuck = true;
    await open({ lastEventId: "0", reader });
    await reader.until((text) => text.length > eventLimits.queuedBytes);
    await turn();
    beat();
    expect(reader.isCut).toBe(false);
    beat();
    expect(reader.isCut).toBe(true);
  });
});

describe("the number of streams", () => {
  const refusal = async (opening: Promise<unknown>) => {
    const error = await opening.catch((thrown: unknown) => thrown);
    return isFault(error) ? [error.code, error.fields["retryAfter"]] : error;
  };

  test("of one user is limited; another user is not affected; a closed one makes room", async () => {
    const { open } = setUp();
    const mine = [];
    for (let i = 0; i < eventLimits.streamsPerUser; i += 1) mine.push(await open());
    expect(await refusal(open())).toEqual(["events.too_many_streams", 5]);
    await open({ principal: { ...auditor, id: "usr_2" } });
    mine[0]?.stop();
    await open();
    expect(await refusal(open())).toEqual(["events.too_many_streams", 5]);
  });

  test("of all users is limited", async () => {
    const { open } = setUp();
    for (let i = 0; i < eventLimits.streams; i += 1) await open({ principal: { ...auditor, id: `usr_${i}` } });
    expect(await refusal(open({ principal: { ...auditor, id: "usr_x" } }))).toEqual(["events.too_many_streams", 5]);
  });

  test("does not multiply the reads of the store", async () => {
    const store = farStore();
    let reads = 0;
    const searchAudit: Store["searchAudit"] = (query) => {
      reads += 1;
      return store.searchAudit(query);
    };
    const { open, commit } = setUp({ store: { ...store, searchAudit } });
    const readers = [];
    for (let i = 0; i < 50; i += 1) readers.push((await open({ principal: { ...auditor, id: `usr_${i}` } })).reader);
    reads = 0;
    await commit(1);
    await Promise.all(readers.map((reader) => reader.until(told(1))));
    expect(reads).toBeLessThanOrEqual(2);
  });
});
