import { expect, test } from "vitest";
import { strangerBlock } from "./address-block.ts";

test("neighbours are one stranger: a /24 of IPv4, a /48 of IPv6", () => {
  expect(["192.0.2.1", "192.0.2.255", "192.0.3.1"].map(strangerBlock)).toEqual([
    "192.0.2.0/24",
    "192.0.2.0/24",
    "192.0.3.0/24",
  ]);
  expect(["2001:db8:1::1", "2001:db8:1:ffff:1:2:3:4", "2001:db8:2::1"].map(strangerBlock)).toEqual([
    "20010db80001/48",
    "20010db80001/48",
    "20010db80002/48",
  ]);
});

test("what is no address is one stranger together", () => {
  expect(["unknown", "fe80::1%eth0", ""].map(strangerBlock)).toEqual(["unknown", "unknown", "unknown"]);
});
