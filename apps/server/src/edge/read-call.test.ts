import { isFault } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { readCall } from "./read-call.ts";

const base = {
  method: "GET",
  path: "/api/x",
  summary: "",
  access: { kind: "signed-in", nodes: "every" },
  responses: { 204: null },
} as const;
const raw = { params: {}, query: "", headers: {}, body: undefined };

function refusal(spec: RouteSpec, more: Partial<Parameters<typeof readCall>[1]>) {
  try {
    return readCall(spec, { ...raw, ...more });
  } catch (error) {
    return isFault(error) ? { code: error.code, detail: error.detail, fields: error.fields } : error;
  }
}

describe("the query", () => {
  const spec: RouteSpec = {
    ...base,
    query: z.strictObject({ limit: z.string().optional(), text: z.string().optional() }),
  };

  test("is read by name, with its escapes", () => {
    expect(readCall(spec, { ...raw, query: "text=a%20b+c%C3%A9&limit" }).query).toEqual({ text: "a b cé", limit: "" });
    expect(readCall(spec, raw).query).toEqual({});
  });

  test("is refused when it names something else, something twice, or breaks an escape", () => {
    for (const query of ["token=x", "limit=1&limit=2", "limit=%zz", "text=%ff", "__proto__=1", "=1", "&"]) {
      expect(refusal(spec, { query })).toMatchObject({ code: "request.malformed" });
    }
    const many = Array.from({ length: 65 }, (_, i) => `p${i}=1`).join("&");
    expect(refusal(spec, { query: many })).toMatchObject({ detail: "the query has more than 64 parameters" });
  });

  test("is refused where the row has none, but ignored by probes", () => {
    expect(refusal(base, { query: "token=secret" })).toMatchObject({ detail: "GET /api/x takes no query parameters" });
    expect(readCall({ ...base, probe: true }, { ...raw, query: "cachebust=1" }).query).toBeUndefined();
  });
});

describe("the other parts", () => {
  const spec: RouteSpec = {
    ...base,
    params: z.strictObject({ id: z.string().regex(/^[a-z]+$/) }),
    headers: z.object({ "if-match": z.string().optional() }),
    body: z.strictObject({ name: z.string().min(1), tags: z.array(z.string()).optional() }),
  };
  const good = { params: { id: "abc" }, headers: { "if-match": "1", host: "x" }, body: { name: "n" } };

  test("are read by the row's schemas", () => {
    expect(readCall(spec, { ...raw, ...good })).toEqual({
      params: { id: "abc" },
      query: undefined,
      headers: { "if-match": "1" },
      body: { name: "n" },
    });
  });

  test("are refused with the place and what was expected, and never with what was found", () => {
    const found = refusal(spec, { ...good, body: { name: "", tags: ["ok", 5], secret: "canary" } });
    expect(found).toMatchObject({ code: "request.malformed" });
    expect(JSON.stringify(found)).toContain("body.name");
    expect(JSON.stringify(found)).toContain("body.tags.1");
    expect(JSON.stringify(found)).not.toContain("canary");
    expect(refusal(spec, { ...good, params: { id: "A" } })).toMatchObject({ code: "request.malformed" });
  });

  test("name at most ten things that are wrong, each cut short", () => {
    const body = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${"k".repeat(500)}${i}`, 1]));
    const tags = Array.from({ length: 50 }, () => 1);
    const found = refusal(spec, { ...good, body: { ...body, name: 1, tags } });
    expect(JSON.stringify(found).length).toBeLessThan(6_000);
  });
});
