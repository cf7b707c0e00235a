import { expect, test } from "vitest";
import { parseAddress, parseRange } from "./address-range.ts";

test.each([
  ["127.0.0.1", [127, 0, 0, 1]],
  ["::1", [...Array.from({ length: 15 }, () => 0), 1]],
  ["2001:db8::8", [0x20, 1, 0x0d, 0xb8, ...Array.from({ length: 11 }, () => 0), 8]],
  ["::ffff:192.0.2.7", [...Array.from({ length: 10 }, () => 0), 255, 255, 192, 0, 2, 7]],
])("%s is read as its bytes", (text, bytes) => {
  expect([...(parseAddress(text) ?? [])]).toEqual(bytes);
});

test.each([
  "",
  "1.2.3",
  "1.2.3.256",
  "01.2.3.4",
  "0x7f.0.0.1",
  " 1.2.3.4",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1::2::3",
  "1:2:3:4:5:6:7::8",
  ":1:2:3:4:5:6:7",
  "fe80::1%eth0",
  "1.2.3.4::",
  "::12345",
])("%j is not an address", (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test("a range is kept as it was written, and a bare address becomes the range of itself", () => {
  expect(parseRange("10.0.0.0/8")).toEqual({ range: "10.0.0.0/8" });
  expect(parseRange("2400:cb00::/32")).toEqual({ range: "2400:cb00::/32" });
  expect(parseRange("192.0.2.7")).toEqual({ range: "192.0.2.7/32" });
  expect(parseRange("::1")).toEqual({ range: "::1/128" });
});

test.each([
  ["10.0.0.1/8", "bits set behind"],
  ["2001:db8::1/32", "bits set behind"],
  ["10.0.0.0/33", "prefix length"],
  ["10.0.0.0/08", "prefix length"],
  ["10.0.0.0/", "prefix length"],
  ["10.0.0.0/8/8", "not an address or range"],
  ["0.0.0.0/0", "every address"],
  ["::/0", "every address"],
  ["::ffff:10.0.0.0/104", "IPv4 address in IPv6 clothes"],
  ["proxy.example", "not an address or range"],
])("%s is refused: %s", (text, problem) => {
  const parsed = parseRange(text);
  expect("problem" in parsed ? parsed.problem : "accepted").toContain(problem);
});
