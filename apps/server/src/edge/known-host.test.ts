import { expect, test } from "vitest";
import { knownHosts } from "./known-host.ts";

test("without a public URL only loopback names are answered for", () => {
  const isKnown = knownHosts(undefined);
  for (const host of ["localhost", "LOCALHOST:8088", "127.0.0.1", "127.0.0.1:8088", "127.3.2.1:1", "[::1]:8088"]) {
    expect(isKnown(host)).toBe(true);
  }
  const foreign = [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "0.0.0.0",
    "10.0.0.1",
    "[::]",
    "::1",
  ];
  const odd = ["localhost:8088, evil.example", "user@localhost", "localhost/", "localhost:", "127.0.0.01", "127.1", ""];
  for (const host of [...foreign, ...odd, undefined]) expect(isKnown(host)).toBe(false);
});

test("the public URL's host is answered for, with or without its own port, in any case", () => {
  const isKnown = knownHosts(new URL("https://Gate.Example.com"));
  for (const host of ["gate.example.com", "GATE.example.com", "gate.example.com:443", "localhost:8088"]) {
    expect(isKnown(host)).toBe(true);
  }
  for (const host of ["gate.example.com:80", "gate.example.com:8443", "gate.example.com.", "x.gate.example.com"]) {
    expect(isKnown(host)).toBe(false);
  }
});

test("a public URL with a port is answered for with that port only", () => {
  const isKnown = knownHosts(new URL("https://gate.example.com:8443"));
  expect(isKnown("gate.example.com:8443")).toBe(true);
  expect(isKnown("gate.example.com")).toBe(false);
  expect(knownHosts(new URL("http://gate.example.com"))("gate.example.com:80")).toBe(true);
});
