import { expect, test } from "vitest";
import { chooseAddress } from "./choose-address.ts";
import { lookupServiceOf } from "./lookup-service.ts";
import { publicAddress } from "./public-address.ts";

const node = (address: string | null, ...addresses: string[]) => ({ address, facts: { addresses } });

test("where the connection comes from goes first, then what the host says, and only what is public", () => {
  expect(chooseAddress(node("8.8.8.8", "1.1.1.1"))).toEqual({ address: "8.8.8.8" });
  expect(chooseAddress(node("10.0.0.1", "192.168.0.1", "2606:4700::1111", "1.1.1.1"))).toEqual({
    address: "2606:4700::1111",
  });
  expect(chooseAddress({ address: "8.8.8.8", facts: null })).toEqual({ address: "8.8.8.8" });
});

test("a host of which nothing is known is unheard, and one inside is private", () => {
  expect(chooseAddress({ address: null, facts: null })).toEqual({ why: "unheard" });
  expect(chooseAddress(node(null))).toEqual({ why: "unheard" });
  expect(chooseAddress(node("127.0.0.1", "fd00::1", "169.254.169.254"))).toEqual({ why: "private" });
  expect(chooseAddress(node("unknown", "evil.test/?", "8.8.8.8/24"))).toEqual({ why: "private" });
});

test("an address has one form, however a host writes it", () => {
  expect(publicAddress("2606:4700:0:0::0:1111")).toBe("2606:4700::1111");
  expect(publicAddress("2A00:1450:4001:0810::200E")).toBe("2a00:1450:4001:810::200e");
  for (const text of ["::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "8.8.8.8 ", "8.8.8.08", "1.1", ""]) {
    expect(publicAddress(text), text).toBeUndefined();
  }
});

test("the service is known by its host alone, and an address is filled in encoded", () => {
  const service = lookupServiceOf("HTTPS://Geo.Example.test:8443/{ip}/json?again={ip}&token=secret");
  expect(service).toMatchObject({ host: "geo.example.test:8443", origin: "https://geo.example.test:8443" });
  expect(service?.urlFor("2606:4700::1111")).toBe(
    "HTTPS://Geo.Example.test:8443/2606%3A4700%3A%3A1111/json?again=2606%3A4700%3A%3A1111&token=secret",
  );
  expect(lookupServiceOf("off")).toBeUndefined();
});
