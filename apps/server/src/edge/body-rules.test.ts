import { isFault } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkBodyHeaders, parseBody } from "./body-rules.ts";

const base = {
  path: "/api/x",
  summary: "",
  access: { kind: "signed-in", nodes: "every" },
  responses: { 204: null },
} as const;
const post: RouteSpec = { ...base, method: "POST", body: z.strictObject({}) };
const get: RouteSpec = { ...base, method: "GET" };

function codeOf(act: () => unknown): string {
  try {
    act();
    return "passed";
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

const judge = (type: string | undefined, spec = post) =>
  codeOf(() => checkBodyHeaders(spec, { "content-length": "2", ...(type !== undefined && { "content-type": type }) }));

test("a body is expected, unless the row takes none too; what is sent is judged in any case", () => {
  const optional: RouteSpec = { ...base, method: "POST", body: z.strictObject({}).optional() };
  for (const headers of [{}, { "content-length": "0" }]) {
    expect(codeOf(() => checkBodyHeaders(post, headers))).toBe("request.malformed");
    expect(codeOf(() => checkBodyHeaders(optional, headers))).toBe("passed");
  }
  expect(judge("text/plain", optional)).toBe("request.unsupported_media_type");
  expect(judge("application/json", optional)).toBe("passed");
});

describe("the media type", () => {
  test("is JSON, alone or with the one charset there is, in any case", () => {
    const good = [
      "application/json",
      "Application/JSON",
      "application/json;charset=utf-8",
      "application/json; charset=UTF-8",
    ];
    for (const type of [...good, 'application/json ;\tcharset="utf-8"']) expect(judge(type)).toBe("passed");
  });

  test("is nothing else", () => {
    const other = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "text/json",
      "application/jsonp",
    ];
    const tricks = [
      "application/json, text/plain",
      "application/json;",
      "application/json; charset=utf-16",
      "\tapplication/json",
    ];
    const more = [
      "application/json; charset=utf-8; x=1",
      "application/json\t",
      "application/json;charset",
      "json",
      "",
      "*/*",
    ];
    const long = `application/json;${" ".repeat(200)}charset=utf-8`;
    for (const type of [...other, ...tricks, ...more, long, undefined]) {
      expect(judge(type)).toBe("request.unsupported_media_type");
    }
  });

  test("may be another one where the row says so", () => {
    const reports: RouteSpec = { ...post, accepts: ["application/csp-report"] };
    expect(judge("application/csp-report", reports)).toBe("passed");
    expect(judge("application/json", reports)).toBe("request.unsupported_media_type");
  });
});

describe("the body", () => {
  test("is never compressed", () => {
    for (const encoding of ["gzip", "br", "deflate", "identity", ""]) {
      expect(codeOf(() => checkBodyHeaders(get, { "content-encoding": encoding }))).toBe(
        "request.unsupported_media_type",
      );
    }
  });

  test("is expected where the row has one and nowhere else", () => {
    expect(codeOf(() => checkBodyHeaders(get, {}))).toBe("passed");
    expect(codeOf(() => checkBodyHeaders(get, { "content-length": "0" }))).toBe("passed");
    expect(codeOf(() => checkBodyHeaders(get, { "content-length": "1" }))).toBe("request.malformed");
    expect(codeOf(() => checkBodyHeaders(get, { "transfer-encoding": "chunked" }))).toBe("request.malformed");
    expect(codeOf(() => checkBodyHeaders(post, {}))).toBe("request.malformed");
    expect(codeOf(() => checkBodyHeaders(post, { "content-length": "0" }))).toBe("request.malformed");
  });

  test("that says it is too large is not read", () => {
    const sized = (length: string, spec: RouteSpec) =>
      codeOf(() => checkBodyHeaders(spec, { "content-type": "application/json", "content-length": length }));
    expect(sized("1048576", post)).toBe("passed");
    expect(sized("1048577", post)).toBe("request.body_too_large");
    expect(sized("17", { ...post, bodyLimit: 16 })).toBe("request.body_too_large");
    const chunked = { "content-type": "application/json", "transfer-encoding": "chunked" };
    expect(codeOf(() => checkBodyHeaders(post, chunked))).toBe("passed");
  });

  test("is read strictly, and the refusal says where it went wrong", () => {
    expect(parseBody(Buffer.from('{"a":1}'))).toEqual({ a: 1 });
    expect(() => parseBody(Buffer.from('{"a":1,"a":2}'))).toThrow("a key is written twice in one object (character 7)");
  });
});
