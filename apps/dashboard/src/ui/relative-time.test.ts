import { describe, expect, it } from "vitest";
import { absoluteTime, hourAndMinute, relativeTime, spanWords } from "./relative-time.ts";

const now = Date.UTC(2026, 10, 17, 3, 12, 40);
const ago = (ms: number) => relativeTime(now - ms, now);

describe("a time beside a thing", () => {
  it("is now within ten seconds, in either direction", () => {
    expect(ago(0)).toBe("now");
    expect(ago(9_999)).toBe("now");
    expect(ago(-9_999)).toBe("now");
  });

  it("counts in the largest whole unit and never rounds up", () => {
    expect(ago(59_999)).toBe("59 s ago");
    expect(ago(60_000)).toBe("1 min ago");
    expect(ago(3_599_999)).toBe("59 min ago");
    expect(ago(47 * 3_600_000)).toBe("47 h ago");
    expect(ago(48 * 3_600_000)).toBe("2 d ago");
  });

  it("says what is still to come", () => {
    expect(ago(-47 * 60_000)).toBe("in 47 min");
  });

  it("becomes a date after 45 days, with the year when it is another one", () => {
    expect(relativeTime(Date.UTC(2026, 8, 3), now)).toBe("3 Sept");
    expect(relativeTime(Date.UTC(2025, 8, 3), now)).toBe("3 Sept 2025");
  });

  it("admits a time it cannot read", () => {
    expect(relativeTime(Number.NaN, now)).toBe("unknown");
    expect(absoluteTime(Number.NaN)).toBe("unknown");
  });

  it("is written out in UTC, and in the reader's zone only when that differs", () => {
    expect(absoluteTime(now, "UTC")).toBe("17 Nov 2026, 03:12:40 UTC");
    expect(absoluteTime(now, "Europe/Berlin")).toBe("17 Nov 2026, 03:12:40 UTC (17 Nov 2026, 04:12:40 here)");
  });

  it("has a length of zero rather than less", () => {
    expect(spanWords(-5)).toBe("0 s");
  });
});

describe("the hour and minute of something old", () => {
  it("stand alone today and with the day otherwise, in the reader's zone", () => {
    expect(hourAndMinute(now, now, "UTC")).toBe("03:12");
    expect(hourAndMinute(now, now, "Asia/Tokyo")).toBe("12:12");
    expect(hourAndMinute(now - 6 * 3_600_000, now, "UTC")).toBe("16 Nov, 21:12");
  });
});
