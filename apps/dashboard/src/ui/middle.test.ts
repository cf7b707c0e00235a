import { describe, expect, it } from "vitest";
import { groups, splitMiddle, truncateMiddle } from "./middle.ts";

describe("an id that does not fit", () => {
  it("loses its middle and keeps both ends", () => {
    expect(truncateMiddle("nyc3-db-primary-replica-candidate-01", 20)).toBe("nyc3-db-p…ndidate-01");
  });

  it("is left whole when it fits", () => {
    expect(truncateMiddle("edge-firewall", 13)).toBe("edge-firewall");
  });

  it("never grows past the given length", () => {
    for (let most = 1; most < 20; most++) expect(truncateMiddle("abcdefghijklmnopqrst", most).length).toBe(most);
  });

  it("does not cut a character made of two code units in half", () => {
    expect(truncateMiddle("🗝🗝🗝🗝🗝", 3)).toBe("🗝…🗝");
  });

  it("splits into a head that may shrink and a tail that may not", () => {
    expect(splitMiddle("plugin_01k9x4t7qd", 6)).toEqual({ head: "plugin_01k9", tail: "x4t7qd" });
    expect(splitMiddle("short", 6)).toEqual({ head: "", tail: "short" });
  });
});

describe("a digest", () => {
  it("is shown whole, in groups of four", () => {
    expect(groups("c41f8a029be7")).toEqual(["c41f", "8a02", "9be7"]);
    expect(groups("c41f8")).toEqual(["c41f", "8"]);
    expect(groups("")).toEqual([]);
  });
});
