import { expect, test } from "vitest";
import {
  bearerToken,
  burstRate,
  flag,
  listenAddress,
  lookupTemplate,
  oneOf,
  originList,
  password,
  publicKeyLine,
  publicUrl,
  rangeList,
  trustPolicy,
  userName,
  type ValueKind,
  wholeNumber,
} from "./setting-values.ts";

function read(kind: ValueKind<unknown>, text: string): unknown {
  const reading = kind.parse(text);
  return "value" in reading ? reading.value : "refused";
}

test("a flag is 1 or 0", () => {
  expect(read(flag, "1")).toBe(true);
  expect(read(flag, "0")).toBe(false);
  for (const text of ["", "true", "yes", "2", " 1", "01", "-1"]) expect(read(flag, text)).toBe("refused");
});

test("a number out of its range is refused, not clamped", () => {
  const kind = wholeNumber("seconds", 1, 60);
  expect([read(kind, "1"), read(kind, "60")]).toEqual([1, 60]);
  for (const text of ["0", "61", "1.5", "1e1", "+5", "5s", "", "0x5", "05", "9".repeat(30)]) {
    expect(read(kind, text)).toBe("refused");
  }
});

test("a choice is one of its words, letter for letter", () => {
  const kind = oneOf("text", "json");
  expect(kind.shape).toBe("text or json");
  expect(read(kind, "json")).toBe("json");
  expect(read(kind, "JSON")).toBe("refused");
});

test("a listening address is an address and a port", () => {
  expect(read(listenAddress, "127.0.0.1:8088")).toEqual({ host: "127.0.0.1", port: 8088 });
  expect(read(listenAddress, "[::1]:0")).toEqual({ host: "::1", port: 0 });
  expect(read(listenAddress, "localhost:1")).toEqual({ host: "localhost", port: 1 });
  for (const text of [
    "8088",
    ":8088",
    "::1:8088",
    "[127.0.0.1]:1",
    "127.0.0.1",
    "127.0.0.1:65536",
    "gate.example:1",
    "[]:1",
  ]) {
    expect(read(listenAddress, text)).toBe("refused");
  }
});

test("a public URL is an https origin, and http only on loopback", () => {
  for (const text of [
    "https://gate.example",
    "https://gate.example:8443",
    "http://localhost:8088",
    "http://127.0.0.2",
    "http://[::1]:1",
  ]) {
    expect(publicUrl.parse(text)).toEqual({ value: new URL(text) });
  }
  expect(publicUrl.parse("https://gate.example/")).toEqual({ value: new URL("https://gate.example") });
  expect(publicUrl.parse("http://gate.example")).toMatchObject({ write: "https://gate.example" });
  for (const text of [
    "gate.example",
    "https://",
    "https://gate.example/panel",
    "https://gate.example?a=1",
    "https://gate.example#top",
    "https://user:pass@gate.example",
    "https://gate.example:99999",
    "https://gate.example//",
    "ftp://gate.example",
    "https:\\\\gate.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
  ]) {
    expect(read(publicUrl, text)).toBe("refused");
  }
});

test("a CSP source is an https origin that cannot carry another directive", () => {
  expect(read(originList, "https://a.example, https://b.example:8443 https://a.example")).toEqual([
    "https://a.example",
    "https://b.example:8443",
  ]);
  for (const text of [
    "http://a.example",
    "a.example",
    "*",
    "https://*.example",
    "https://a.example/x.js",
    "https://a.example;script-src",
    "https://a'b.example",
    "'unsafe-inline'",
    "data:",
    "https://a.example https://b.example;x",
  ]) {
    expect(read(originList, text)).toBe("refused");
  }
});

test("trusted proxies are addresses and ranges; the refusal names the bad one", () => {
  expect(read(rangeList, "10.0.0.0/8 192.0.2.7, 2001:db8::/32")).toEqual([
    "10.0.0.0/8",
    "192.0.2.7/32",
    "2001:db8::/32",
  ]);
  expect(rangeList.parse("10.0.0.0/8,10.0.0.1/8")).toMatchObject({ expected: expect.stringContaining('"10.0.0.1/8"') });
});

test("a rate is requests per second and a burst that is not smaller", () => {
  expect(read(burstRate, "30,60")).toEqual({ perSecond: 30, burst: 60 });
  for (const text of ["30", "30,", "60,30", "0,1", "30,60,90", "30/60", "1,100001", "30, 60"]) {
    expect(read(burstRate, text)).toBe("refused");
  }
});

test("a lookup is off or an https template whose host does not depend on the address", () => {
  for (const text of ["off", "https://ipwho.is/{ip}", "https://geo.internal:8443/v1?ip={ip}&key=k"]) {
    expect(read(lookupTemplate, text)).toBe(text);
  }
  for (const text of [
    "Off",
    "http://ipwho.is/{ip}",
    "https://ipwho.is/",
    "https://{ip}/",
    "https://{ip}.geo.example/",
    "https://u:p@geo.example/{ip}",
    "https://u:{ip}@geo.example/",
    "https://geo.example/#{ip}",
    "{ip}",
  ]) {
    expect(read(lookupTemplate, text)).toBe("refused");
  }
});

test("a first password has at least 12 characters, and an emoji is one of them", () => {
  expect(read(password, "a".repeat(12))).toBe("a".repeat(12));
  expect(read(password, "🔑".repeat(11))).toBe("refused");
  expect(read(password, "a".repeat(1025))).toBe("refused");
  expect(read(password, "<ADMIN_PASSWORD>")).toBe("refused");
});

test("names and tokens keep to characters that need no quoting", () => {
  expect(read(userName, "ines.okafor-north")).toBe("ines.okafor-north");
  for (const text of ["", "-x", "a b", "ines\u0301", "Ines", "ines@north", "x".repeat(64)])
    expect(read(userName, text)).toBe("refused");
  expect(read(bearerToken, "a".repeat(32))).toBe("a".repeat(32));
  for (const text of ["a".repeat(31), `${"a".repeat(32)} `, "ü".repeat(40)])
    expect(read(bearerToken, text)).toBe("refused");
});

test("a trust policy is a path or a JSON object", () => {
  expect(read(trustPolicy, "/plugins/trust.json")).toEqual({ file: "/plugins/trust.json" });
  expect(read(trustPolicy, ' {\n"publishers": {}}')).toEqual({ inline: ' {\n"publishers": {}}' });
  expect(read(trustPolicy, '{"publishers"')).toBe("refused");
  expect(read(trustPolicy, "/a\n/b")).toBe("refused");
});

test("a secret key is never taken for a recipient", () => {
  expect(read(publicKeyLine, "age1qqqq")).toBe("age1qqqq");
  expect(read(publicKeyLine, "AGE-SECRET-KEY-1QQQQ")).toBe("refused");
  expect(read(publicKeyLine, "-----BEGIN PRIVATE KEY-----")).toBe("refused");
});
