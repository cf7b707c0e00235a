import { expect, test, vi } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

test("lines come whole, however they were cut on the way", () => {
  const splitter = new LineSplitter(100);
  expect(splitter.take(Buffer.from("on")).lines).toEqual([]);
  expect(splitter.take(Buffer.from("e\n\ntw")).lines).toEqual(["one", ""]);
  expect(splitter.unfinished).toBe(2);
  expect(splitter.take(Buffer.from("o\n"))).toEqual({ lines: ["two"], fault: undefined });
});

test("a line as long as a plan is copied as often as its buffer doubles, not as often as a part comes", () => {
  const allocated = vi.spyOn(Buffer, "allocUnsafe");
  const part = Buffer.alloc(4 * 1024, "x");
  const splitter = new LineSplitter(17 * 1024 * 1024);
  for (let at = 0; at < 4 * 1024; at += 1) expect(splitter.take(part).lines).toEqual([]);
  expect(splitter.take(Buffer.from("\n")).lines[0]).toHaveLength(16 * 1024 * 1024);
  // From 1 KiB to 16 MiB.
  expect(allocated).toHaveBeenCalledTimes(1 + 13);
  allocated.mockRestore();
});

test("a byte more than allowed, a line more than allowed, and bytes that are no text are told", () => {
  expect(new LineSplitter(3).take(Buffer.from("ab\nc"))).toMatchObject({ fault: "it wrote more than 3 bytes" });
  const many = new LineSplitter(10_000);
  expect(many.take(Buffer.from("\n".repeat(1_000)))).toMatchObject({ fault: undefined });
  expect(many.take(Buffer.from("\n"))).toEqual({ lines: [], fault: "it wrote more than 1000 lines" });
  const bad = new LineSplitter(100).take(Buffer.from([0x61, 0x0a, 0xff, 0x0a]));
  expect(bad).toEqual({ lines: ["a"], fault: "a line it wrote is not UTF-8" });
});
