import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectionsOfAgents, connectionsPerAddress, watchConnections, watchReader } from "./connections.ts";
import { edgeLimits } from "./limits.ts";

function socket(writableLength: number, timeout: number) {
  const set: number[] = [];
  return { set, writableLength, timeout, setTimeout: (ms: number) => void set.push(ms) };
}

test("a reader for whom bytes wait gets a time limit, once; others get none", () => {
  const [behind, upToDate, watched] = [socket(5, 0), socket(0, 0), socket(5, 1_000)];
  for (const one of [behind, upToDate, watched]) watchReader(one as never);
  expect([behind.set, upToDate.set, watched.set]).toEqual([[edgeLimits.idleTimeoutMs], [], []]);
});

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  bytesRead = 0;
  writableLength = 0;
  destroyed = false;
  exchange: { res: { writableFinished: boolean } } | undefined = undefined;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
  /** A request came and was answered, or is still being answered. */
  asks(writableFinished = true): void {
    this.bytesRead += 100;
    this.exchange = { res: { writableFinished } };
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp(perAddress = 3) {
  const server = new EventEmitter();
  const warnings: unknown[] = [];
  const peer = (address = "") => ({ address, isProxy: address === "10.0.0.1" });
  const log = { warn: (message: string, fields: unknown) => void warnings.push([message, fields]) };
  const connections = watchConnections(server as never, { addresses: { peer }, perAddress, log });
  const connect = (address: string) => {
    const made = new FakeSocket(address);
    server.emit("connection", made);
    return made;
  };
  const look = () => vi.advanceTimersByTime(edgeLimits.readerCheckMs);
  return { connect, look, warnings, connections };
}

test("one address has its share of the connections and no more; a closed one makes room; a proxy has as many as it needs", () => {
  const { connect, look, warnings } = setUp();
  const mine = Array.from({ length: 5 }, () => connect("203.0.113.7"));
  expect(mine.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true, true]);
  expect(connect("203.0.113.8").destroyed).toBe(false);
  mine[0]?.destroy();
  expect(connect("203.0.113.7").destroyed).toBe(false);
  expect(connect("203.0.113.7").destroyed).toBe(true);
  expect(Array.from({ length: 20 }, () => connect("10.0.0.1").destroyed)).not.toContain(true);
  expect(warnings).toEqual([]);
  look();
  expect(warnings).toEqual([["connections refused", { address: "203.0.113.7", times: 3, allowed: 3 }]]);
  look();
  expect(warnings).toHaveLength(1);
});

test("the addresses of one IPv6 subscriber are one", () => {
  const { connect } = setUp(2);
  const all = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"].map(
    (address) => connect(address).destroyed,
  );
  expect(all).toEqual([false, false, true, false]);
});

test("a connection on which nothing came from one look to the next is closed, unless it is a proxy's or an answer is under way", () => {
  const { connect, look, connections } = setUp();
  const [idle, busy, answering, proxy] = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "10.0.0.1"].map(connect);
  for (const one of [idle, busy, proxy]) one?.asks();
  answering?.asks(false);
  look();
  const isOpen = () => [idle, busy, answering, proxy].map((one) => !one?.destroyed);
  expect(isOpen()).toEqual([true, true, true, true]);
  busy?.asks();
  look();
  expect(isOpen()).toEqual([false, true, true, true]);
  connections.close();
  look();
  look();
  expect(isOpen()).toEqual([false, true, true, true]);
});

test("a quarter of all connections is one address's share, and at least one", () => {
  expect([connectionsPerAddress(768), connectionsPerAddress(2)]).toEqual([192, 1]);
});

test("agents leave a thousand connections to people, and half of them where there are few", () => {
  expect([19_744, 2_000, 1_500, 768, 3].map(connectionsOfAgents)).toEqual([18_744, 1_000, 750, 384, 1]);
});

test("a connection that its address pays for no more makes room at once, and its end makes no more of it", () => {
  const { connect, connections } = setUp(2);
  const [agent] = [connect("203.0.113.7"), connect("203.0.113.7")];
  expect(connect("203.0.113.7").destroyed).toBe(true);
  connections.uncount(agent as never);
  connections.uncount(agent as never);
  expect(connect("203.0.113.7").destroyed).toBe(false);
  agent?.destroy();
  expect(connect("203.0.113.7").destroyed).toBe(true);
});

test("a connection that speaks another protocol is looked after by others", () => {
  const { connect, look, connections } = setUp();
  const socket = connect("192.0.2.1");
  socket.asks();
  connections.handOver(socket as never);
  look();
  look();
  expect(socket.destroyed).toBe(false);
});
