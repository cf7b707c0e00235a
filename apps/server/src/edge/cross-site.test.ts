import { expect, test } from "vitest";
import { isFromBrowser, isFromOwnPage } from "./cross-site.ts";

const ownOrigin = "https://gate.example.com";
const judge = (host: string | undefined, origin?: string, secFetchSite?: string) =>
  isFromOwnPage({ host, origin, secFetchSite }, ownOrigin);

test("Sec-Fetch-Site decides when the browser sends it", () => {
  expect(judge("gate.example.com", undefined, "same-origin")).toBe(true);
  for (const site of ["same-site", "cross-site", "none", "", "same-origin, same-origin"]) {
    expect(judge("gate.example.com", ownOrigin, site)).toBe(false);
  }
});

test("without it the Origin must be exactly the public one", () => {
  expect(judge("gate.example.com", ownOrigin)).toBe(true);
  const foreign = ["null", "http://gate.example.com", "https://gate.example.com:444", "https://gate.example.com."];
  for (const origin of [...foreign, "https://a.gate.example.com", "https://GATE.example.com", undefined]) {
    expect(judge("gate.example.com", origin)).toBe(false);
  }
});

test("on loopback the Origin must be the address that was asked", () => {
  expect(judge("127.0.0.1:8088", "http://127.0.0.1:8088")).toBe(true);
  expect(judge("127.0.0.1:8088", "http://127.0.0.1:9999")).toBe(false);
  expect(judge("127.0.0.1:8088", "https://127.0.0.1:8088")).toBe(false);
  expect(judge("gate.example.com", "http://gate.example.com")).toBe(false);
  expect(judge(undefined, "http://127.0.0.1:8088")).toBe(false);
});

test("a request with either header comes from a browser", () => {
  expect(isFromBrowser({ host: undefined, origin: "null", secFetchSite: undefined })).toBe(true);
  expect(isFromBrowser({ host: undefined, origin: undefined, secFetchSite: "none" })).toBe(true);
  expect(isFromBrowser({ host: "x", origin: undefined, secFetchSite: undefined })).toBe(false);
});
