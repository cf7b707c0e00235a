import { describe, expect, test } from "vitest";
import { geoLimits } from "./limits.ts";
import { readAnswer } from "./read-answer.ts";

const now = Date.UTC(2026, 10, 19);
const bytes = (body: unknown) => Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
const read = (body: unknown) => readAnswer({ status: 200, headers: {}, body: bytes(body) }, now);
const found = (latitude: number, longitude: number, label: string | null = null) => ({
  kind: "found",
  place: { latitude, longitude, label },
});

describe("a place", () => {
  test("is read in both spellings, from numbers and from numbers that are written", () => {
    expect(read({ success: true, latitude: 52.52, longitude: 13.405 })).toEqual(found(52.52, 13.405));
    expect(read({ lat: -33.45, lon: -70.67 })).toEqual(found(-33.45, -70.67));
    expect(read({ lat: "-33.4500", lon: "170" })).toEqual(found(-33.45, 170));
    expect(read({ latitude: 90, longitude: -180, lat: 1, lon: 1 })).toEqual(found(90, -180));
  });

  test("is no finer than eleven metres", () => {
    expect(read({ lat: 52.520006599, lon: 13.404953999 })).toEqual(found(52.52, 13.405));
  });

  test("has a label from town and country, as far as it can be shown", () => {
    const at = { lat: 1, lon: 2 };
    expect(read({ ...at, city: "São Paulo", country: "Brazil" })).toEqual(found(1, 2, "São Paulo, Brazil"));
    expect(read({ ...at, city: "Berlin" })).toEqual(found(1, 2, "Berlin"));
    expect(read({ ...at, country_name: "Chile" })).toEqual(found(1, 2, "Chile"));
    expect(read({ ...at, city: "x".repeat(58), country: "Chile" })).toEqual(found(1, 2, "x".repeat(58)));
    expect(read({ ...at, city: "\u202egnp.exe", country: "Chile" })).toEqual(found(1, 2, "Chile"));
    expect(read({ ...at, city: ["Berlin"], country: { toString: "x" } })).toEqual(found(1, 2));
    expect(read({ ...at, city: "a\nb", country: " Chile" })).toEqual(found(1, 2));
  });
});

describe("an answer that knows no place", () => {
  test.each([
    { success: false, message: "Reserved range", latitude: 0, longitude: 0 },
    { success: false, latitude: 52, longitude: 13 },
    { status: "fail", message: "private range" },
    { error: true, reason: "Reserved IP Address" },
    { latitude: null, longitude: null },
    { success: true, latitude: 0, longitude: 0 },
    { lat: "0.0", lon: "-0" },
  ])("%j is unfound", (body) => {
    expect(read(body)).toEqual({ kind: "unfound" });
  });

  test("is not one that says it was asked too often", () => {
    for (const message of ["You've hit the monthly limit", "quota exceeded", "Too many requests"]) {
      expect(read({ success: false, message })).toMatchObject({ kind: "failed" });
    }
  });
});

describe("an answer that is none", () => {
  test.each(
    [
      ["", "null", "true", "7", '"52.52,13.4"', "[52.52, 13.4]", '[{"lat":1,"lon":2}]', "<html>", '{"lat":1,"lon":2'],
      ["{}", '{"lat":1}', '{"latitude":1,"lon":2}', '{"Lat":1,"Lon":2}', '{"geo":{"lat":1,"lon":2}}'],
      [
        '{"lat":90.1,"lon":0}',
        '{"lat":0,"lon":-181}',
        '{"lat":1e308,"lon":1}',
        '{"lat":1e999,"lon":1}',
        '{"lat":NaN,"lon":1}',
      ],
      [
        '{"lat":"NaN","lon":1}',
        '{"lat":"","lon":1}',
        '{"lat":" 1","lon":1}',
        '{"lat":"1e1","lon":1}',
        '{"lat":"0x1","lon":1}',
      ],
      [
        '{"lat":true,"lon":1}',
        '{"lat":[1],"lon":1}',
        '{"lat":{},"lon":1}',
        '{"lat":null,"lon":1}',
        '{"__proto__":{"lat":1,"lon":1}}',
      ],
      ["[".repeat(16_000), `{"lat":${"[".repeat(8_000)}${"]".repeat(8_000)},"lon":1}`, "\uFEFF{}"],
    ].flat(),
  )("%.40s… is a failure and not a place", (body) => {
    const answer = read(body);
    expect(answer).toEqual({ kind: "failed", reason: "its answer is not one about a place" });
  });

  test("bytes that are no text are a failure", () => {
    const body = Buffer.concat([Buffer.from('{"lat":1,"lon":2,"city":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(readAnswer({ status: 200, headers: {}, body }, now).kind).toBe("failed");
  });

  test("another status is a failure whatever the body says, and nothing of the body is repeated", () => {
    for (const status of [204, 301, 302, 403, 404, 500, 503]) {
      const answer = readAnswer(
        { status, headers: { location: "https://evil.test/" }, body: bytes({ lat: 1, lon: 2 }) },
        now,
      );
      expect(answer).toEqual({ kind: "failed", reason: `it answered with status ${status}` });
    }
  });
});

test("a service says how long it wants to be left alone, within our bounds", () => {
  const waits = (value: string) => {
    const answer = readAnswer({ status: 429, headers: { "retry-after": value }, body: bytes("") }, now);
    return answer.kind === "failed" ? answer.retryAfterMs : null;
  };
  expect(waits("30")).toBe(30_000);
  expect(waits(new Date(now + 90_000).toUTCString())).toBe(90_000);
  expect(waits("999999999")).toBe(geoLimits.mostRetryAfterMs);
  expect(waits(new Date(now - 90_000).toUTCString())).toBe(0);
  for (const value of ["-1", "soon", "1e9", ""])
    expect(waits(value), value).toSatisfy((ms) => ms === undefined || ms === 0);
});
