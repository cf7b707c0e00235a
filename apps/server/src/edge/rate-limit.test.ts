import { manualClock } from "@gatehouse/base";
import { describe, expect, test } from "vitest";
import { openBuckets, openCallerLimit } from "./rate-limit.ts";

const rate = { perSecond: 2, burst: 3 };

describe("a bucket", () => {
  test("gives its burst, then tells how long to wait, then fills at its rate", () => {
    const clock = manualClock();
    const buckets = openBuckets(rate, 10, clock);
    expect([1, 2, 3, 4].map(() => buckets.take("a"))).toEqual([0, 0, 0, 1]);
    clock.advance(500);
    expect([1, 2].map(() => buckets.take("a"))).toEqual([0, 1]);
    clock.advance(60_000);
    expect([1, 2, 3, 4].map(() => buckets.take("a"))).toEqual([0, 0, 0, 1]);
  });

  test("gives several at once or none, and tells when there will be as many", () => {
    const clock = manualClock();
    const buckets = openBuckets({ perSecond: 10, burst: 30 }, 10, clock);
    expect([buckets.take("a", 20), buckets.take("a", 20), buckets.take("a", 10)]).toEqual([0, 1, 0]);
    expect(buckets.take("a", 30)).toBe(3);
    clock.advance(3_000);
    expect(buckets.take("a", 30)).toBe(0);
  });

  test("with a slow rate the wait is told in whole seconds", () => {
    const buckets = openBuckets({ perSecond: 1 / 60, burst: 1 }, 10, manualClock());
    expect(buckets.take("a")).toBe(0);
    expect(buckets.take("a")).toBe(60);
  });

  test("of one key says nothing about another", () => {
    const buckets = openBuckets({ perSecond: 1, burst: 1 }, 10, manualClock());
    expect([buckets.take("a"), buckets.take("b"), buckets.take("a")]).toEqual([0, 0, 1]);
  });

  test("is remembered while it is used and forgotten when many others came meanwhile", () => {
    const buckets = openBuckets({ perSecond: 0.001, burst: 1 }, 10, manualClock());
    buckets.take("busy");
    buckets.take("idle");
    for (let i = 0; i < 100; i += 1) {
      buckets.take(`stranger-${i}`);
      expect(buckets.take("busy")).toBeGreaterThan(0);
    }
    expect(buckets.takeKnown("idle")).toBeUndefined();
    expect(buckets.takeKnown("stranger-0")).toBeUndefined();
  });

  test("can be forgotten at once", () => {
    const buckets = openBuckets(rate, 10, manualClock());
    buckets.take("a");
    buckets.forget("a");
    expect(buckets.takeKnown("a")).toBeUndefined();
  });
});

describe("callers", () => {
  const token = (name: string) => ({ kind: "bearer", token: name }) as const;

  test("strangers are counted by address, IPv6 by its /64", () => {
    const limit = openCallerLimit({ perSecond: 1, burst: 1 }, 10, manualClock());
    expect(limit.admit("198.51.100.1", undefined).wait).toBe(0);
    expect(limit.admit("198.51.100.1", undefined).wait).toBe(1);
    expect(limit.admit("198.51.100.2", undefined).wait).toBe(0);
    expect(limit.admit("2001:db8::1", undefined).wait).toBe(0);
    expect(limit.admit("2001:db8::2", undefined).wait).toBe(1);
  });

  test("a credential that proved good has a limit of its own, whatever its neighbours do", () => {
    const clock = manualClock();
    const limit = openCallerLimit(rate, 10, clock);
    limit.recordResult(limit.admit("198.51.100.1", token("good")), true);
    for (let i = 0; i < 10; i += 1) limit.admit("198.51.100.1", undefined);
    expect(limit.admit("198.51.100.1", undefined).wait).toBe(1);
    const mine = [1, 2, 3].map(() => {
      const admission = limit.admit("198.51.100.1", token("good"));
      limit.recordResult(admission, true);
      return admission.wait;
    });
    expect(mine).toEqual([0, 0, 1]);
  });

  test("invented credentials cost their address, each of them", () => {
    const limit = openCallerLimit(rate, 1_000, manualClock());
    const waits = Array.from({ length: 6 }, (_, i) => {
      const admission = limit.admit("198.51.100.1", i % 2 === 0 ? token(`invented-${i}`) : { kind: "malformed" });
      limit.recordResult(admission, false);
      return admission.wait;
    });
    expect(waits).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test("a credential that is revoked loses its own limit", () => {
    const limit = openCallerLimit(rate, 10, manualClock());
    const cookie = { kind: "cookie", value: "v" } as const;
    limit.recordResult(limit.admit("198.51.100.1", cookie), true);
    limit.recordResult(limit.admit("198.51.100.1", cookie), false);
    expect(limit.admit("198.51.100.1", cookie).isKnown).toBe(false);
  });

  test("the same text as a token and as a cookie are two credentials", () => {
    const limit = openCallerLimit(rate, 10, manualClock());
    limit.recordResult(limit.admit("198.51.100.1", token("x")), true);
    expect(limit.admit("198.51.100.1", { kind: "cookie", value: "x" }).isKnown).toBe(false);
  });
});
