import { describe, expect, test } from "vitest";
import { parseTarget } from "./parse-target.ts";

const hosts = ["api.example.test", "example.test"];

describe("an address", () => {
  test.each([
    ["https://api.example.test", "/"],
    ["https://api.example.test/", "/"],
    ["https://api.example.test:443/v1?a=1&b=%20", "/v1?a=1&b=%20"],
    ["https://api.example.test?q", "/?q"],
    ["https://api.example.test/a/../b//c", "/b//c"],
    ["https://api.example.test/@evil.test", "/@evil.test"],
  ])("%s leads to its host", (text, path) => {
    expect(parseTarget(text, hosts)).toEqual({ host: "api.example.test", path });
  });

  test.each(
    [
      ["https://evil.test/", "https://xapi.example.test/", "https://api.example.test.evil.test/"],
      ["https://api.example.test./", "https://API.example.test/", "https://api.example.tes\u0074x/"],
      ["https://api.example.test:8443/", "https://api.example.test:80/", "https://api.example.test:0443/"],
      ["https://api.example.test\\@evil.test/", "https://api.example.test\\evil", "https://api%2eexample.test/"],
      ["https:///api.example.test/", "https://\\api.example.test/", "https://api.example.test:/"],
      ["https://127.0.0.1/", "https://[::1]/", "https://2130706433/", "https://0x7f.1/", "https://localhost/"],
    ].flat(),
  )("%s leads to no declared host", (text) => {
    expect(() => parseTarget(text, hosts)).toThrow(expect.objectContaining({ reason: "host" }));
  });

  test.each(
    [
      ["http://api.example.test/", "HTTPS://api.example.test/", "hTTps://api.example.test/", "ftp://api.example.test/"],
      ["//api.example.test/", "api.example.test", "", "https:", "https://", "https:api.example.test", "file:///etc"],
      ["https://user@api.example.test/", "https://user:pw@api.example.test/", "https://api.example.test@evil.test/"],
      ["https://api.example.test/#x", "https://api.example.test/ x", "https://api.example.test/\r\nx: y", "https://é/"],
      ["https://[::1", "https://a b/", "\thttps://api.example.test/", "https://api.example.test/\n"],
      [`https://api.example.test/${"a".repeat(2_048)}`],
    ].flat(),
  )("%j is not of the form", (text) => {
    expect(() => parseTarget(text, hosts)).toThrow(expect.objectContaining({ reason: "malformed" }));
  });
});

test("an address is no name, also when somebody declared it as one", () => {
  for (const host of ["127.0.0.1", "[::1]", "8.8.8.8", "1.2.3"]) {
    expect(() => parseTarget(`https://${host}/`, [host]), host).toThrow();
  }
});

test("without declared hosts there is nowhere to go, and the refusal says so", () => {
  expect(() => parseTarget("https://example.test/", [])).toThrow("there are none");
});
