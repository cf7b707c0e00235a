import { describe, expect, test } from "vitest";
import { stoppedIfEndless } from "../../../../tests/support/stopped-if-endless.ts";
import { readRequestPath } from "./request-path.ts";

const place = (target: string) => readRequestPath(target).place;

describe("paths in their one plain form", () => {
  test("everything under /api/ is the API's", () => {
    for (const path of [
      "/api/health",
      "/api/health?x=1",
      "/api/plugins/lifecycle",
      "/api/nodes/node_00000000000000000000000001/x:y@z~",
    ]) {
      expect(place(path)).toBe("api");
    }
  });

  test("assets and the boot script have their places", () => {
    expect(place("/assets/app-1a2b.js")).toBe("asset");
    expect(place("/theme-init.js?v=1")).toBe("theme-init");
  });

  test("every other path is a page (contract 4)", () => {
    for (const path of [
      "/",
      "/login",
      "/nodes/node_00000000000000000000000001",
      "/api",
      "/api?x",
      "/assets",
      "/theme-init.js/",
      "/apis/x",
    ]) {
      expect(place(path)).toBe("page");
    }
  });
});

describe("other spellings never reach an API handler", () => {
  test("what only means /api/ after decoding, folding or merging is a page", () => {
    const spelled = ["//api/health", "/API/health", "/Api/health", "/%61pi/health", "/api%2fhealth", "/api;x/health"];
    for (const path of [...spelled, "/./api/health", "/x/../api/health", "/api\\health", "/%2e/api/health"]) {
      expect(place(path)).toBe("page");
    }
  });

  test("what is under /api/ in another form than the plain one is nowhere", () => {
    const spelled = ["/api/", "/api//health", "/api/../health", "/api/./health", "/api/health/", "/api/health%00"];
    const more = [
      "/api/%68ealth",
      "/api/health;x=1",
      "/api/health/..",
      "/api/a%2fb",
      "/api/\\health",
      "/api/.git",
      "/api/hé",
    ];
    for (const path of [...spelled, ...more]) expect(place(path)).toBe("nowhere");
  });

  test("a target that is no path is malformed", () => {
    for (const target of ["*", "", "http://evil.example/api/health", "api/health", "?x"]) {
      expect(place(target)).toBe("malformed");
    }
  });
});

test("the query is cut off the path at the first question mark", () => {
  expect(readRequestPath("/api/audit?text=a?b&x=/")).toMatchObject({ path: "/api/audit", query: "text=a?b&x=/" });
});

test("a path of two mebibytes is judged in one pass: with one for each character this would not end", () => {
  const long = `/api/${"a-".repeat(1024 * 1024)}!`;
  expect(stoppedIfEndless("judging a long path", () => place(long))).toBe("nowhere");
});
