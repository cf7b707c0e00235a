import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Clock, type EventName, LiveStream } from "./live-stream.ts";

/** A clock on which time passes only when it is told to. */
class HandClock implements Clock {
  #at = 1_000_000;
  readonly #timers = new Set<{ at: number; readonly everyMs: number | undefined; readonly act: () => void }>();
  readonly now = () => this.#at;
  readonly after = (ms: number, act: () => void) => this.#add(ms, undefined, act);
  readonly every = (ms: number, act: () => void) => this.#add(ms, ms, act);

  pass(ms: number): void {
    const end = this.#at + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#at = next.at;
      if (next.everyMs === undefined) this.#timers.delete(next);
      else next.at += next.everyMs;
      next.act();
    }
    this.#at = end;
  }

  /** The machine sleeps, or somebody sets the clock: no timer runs. */
  jump(ms: number): void {
    this.#at += ms;
  }

  #add(ms: number, everyMs: number | undefined, act: () => void): () => void {
    const timer = { at: this.#at + ms, everyMs, act };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }
}

class FakeSource extends EventTarget {
  readyState = 0;
  isClosed = false;
  readonly after: string | undefined;
  constructor(after: string | undefined) {
    super();
    this.after = after;
  }
  close(): void {
    this.isClosed = true;
    this.readyState = 2;
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }
  say(name: EventName, id: string): void {
    this.dispatchEvent(new MessageEvent(name, { data: "{}", lastEventId: id }));
  }
  fail(): void {
    this.readyState = 2;
    this.dispatchEvent(new Event("error"));
  }
}

let clock: HandClock;
let sources: FakeSource[];
const onEvent = vi.fn<(name: EventName) => void>();
const onSilence = vi.fn<() => void>();
const mayOpen = vi.fn<() => Promise<boolean>>();

function start(): LiveStream {
  const open = (after: string | undefined): FakeSource => {
    sources.push(new FakeSource(after));
    return newest();
  };
  const stream = new LiveStream({
    open: open as unknown as ConstructorParameters<typeof LiveStream>[0]["open"],
    mayOpen,
    onEvent,
    onSilence,
    clock,
    random: () => 0,
  });
  stream.start(7);
  return stream;
}

function newest(): FakeSource {
  const source = sources.at(-1);
  if (source === undefined) throw new Error("nothing was opened");
  return source;
}

beforeEach(() => {
  vi.resetAllMocks();
  mayOpen.mockResolvedValue(true);
  clock = new HandClock();
  sources = [];
});

describe("a stream that is heard", () => {
  test("stays live for as long as something comes within 35 seconds, be it only a ping", () => {
    const stream = start();
    newest().open();
    for (let beat = 0; beat < 100; beat += 1) {
      clock.pass(15_000);
      newest().say("ping", "7");
    }
    clock.pass(30_000);
    expect([stream.live, sources.length]).toEqual([{ state: "live", staleFrom: undefined }, 1]);
    expect(onSilence).not.toHaveBeenCalled();
  });

  test("is told once to several starts, and forgotten at the stop", () => {
    const stream = start();
    stream.start(9);
    newest().open();
    stream.stop();
    clock.pass(600_000);
    expect([sources.length, newest().isClosed, stream.live.state]).toEqual([1, true, "reconnecting"]);
  });
});

describe("a stream that falls silent without ending", () => {
  test("is not live any more, says from when the page is, and is opened anew where it was", () => {
    const stream = start();
    newest().open();
    newest().say("change", "41");
    const heardAt = clock.now();
    clock.pass(34_999);
    expect(stream.live.state).toBe("live");
    clock.pass(lookMs);
    expect(stream.live).toEqual({ state: "reconnecting", staleFrom: heardAt });
    expect([sources.length, sources[0]?.isClosed, newest().after]).toEqual([2, true, "41"]);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  test("is tried again and again while nothing comes, and heals by itself when something does", () => {
    const stream = start();
    newest().open();
    clock.pass(5 * 60_000);
    expect(stream.live.state).toBe("offline");
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter(({ isClosed }) => !isClosed)).toEqual([newest()]);
    newest().open();
    expect(stream.live).toEqual({ state: "live", staleFrom: undefined });
  });

  test("is opened anew where the page began to read, when it had not said where it stood", () => {
    start();
    newest().open();
    clock.pass(40_000);
    newest().open();
    expect(sources.map(({ after }) => after)).toEqual(["7", "7"]);
    expect(onEvent).not.toHaveBeenCalled();
  });

  test("cannot say anything more once it was given up", () => {
    const stream = start();
    newest().open();
    clock.pass(40_000);
    sources[0]?.say("change", "9");
    sources[0]?.fail();
    expect([stream.live.state, onEvent.mock.calls.length, sources.length]).toEqual(["reconnecting", 0, 2]);
  });

  test("is found out at the first look after a night's sleep, in which no timer ran", () => {
    const stream = start();
    newest().open();
    clock.jump(8 * 3_600_000);
    stream.look();
    expect(stream.live.state).toBe("reconnecting");
  });

  test("is found out also when the clock was put back meanwhile", () => {
    const stream = start();
    newest().open();
    clock.jump(-3_600_000);
    clock.pass(45_000 + 3_600_000);
    expect(stream.live.state).not.toBe("live");
  });
});

describe("what the browser says of the network", () => {
  test("its loss is shown at once, and a server on the same machine is heard again at once", () => {
    const stream = start();
    newest().open();
    const heardAt = clock.now();
    stream.networkLost();
    expect(stream.live).toEqual({ state: "reconnecting", staleFrom: heardAt });
    newest().open();
    expect(stream.live.state).toBe("live");
  });

  test("its return opens a stream without waiting, and leaves one alone that is live", () => {
    const stream = start();
    newest().open();
    stream.networkBack();
    expect(sources).toHaveLength(1);
    stream.networkLost();
    stream.networkBack();
    expect(sources).toHaveLength(3);
  });
});

describe("a stream that ends", () => {
  test("is opened again after longer and longer pauses; a short one is not called stale", async () => {
    const stream = start();
    newest().open();
    const heardAt = clock.now();
    newest().fail();
    expect(stream.live).toEqual({ state: "reconnecting", staleFrom: undefined });
    await asked();
    clock.pass(1_000);
    expect(sources).toHaveLength(2);
    clock.pass(12_000);
    expect(stream.live).toEqual({ state: "offline", staleFrom: heardAt });
  });

  test("for want of a session is not opened again by itself", async () => {
    mayOpen.mockResolvedValue(false);
    start();
    newest().fail();
    await asked();
    clock.pass(600_000);
    expect(sources).toHaveLength(1);
  });
});

/** The call that finds out whether a session is left was answered. */
async function asked(): Promise<void> {
  await mayOpen.mock.results[0]?.value;
  await Promise.resolve();
}

/** How often it looks. */
const lookMs = 5_000;
