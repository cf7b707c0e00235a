import { describe, expect, test } from "vitest";
import { presentedCredential, sessionCookieName } from "./credential.ts";

const name = sessionCookieName(true);

describe("the Authorization header", () => {
  test("a bearer token is found, the scheme in any case", () => {
    for (const value of ["Bearer gth_abc", "bearer gth_abc", "BEARER gth_abc"]) {
      expect(presentedCredential({ authorization: value }, name)).toEqual({ kind: "bearer", token: "gth_abc" });
    }
  });

  test("anything else in it is malformed, not absent", () => {
    const odd = [
      "",
      "Bearer",
      "Bearer ",
      "Bearer  a",
      "Bearer a b",
      "Bearer a, Bearer b",
      "Basic YTpi",
      "Bearer é",
      "gth_abc",
    ];
    for (const value of [...odd, `Bearer ${"a".repeat(513)}`]) {
      expect(presentedCredential({ authorization: value }, name)).toEqual({ kind: "malformed" });
    }
  });

  test("it wins over a cookie, also when it is malformed", () => {
    const cookie = `${name}=good`;
    expect(presentedCredential({ authorization: "Bearer t", cookie }, name)).toMatchObject({ kind: "bearer" });
    expect(presentedCredential({ authorization: "Basic t", cookie }, name)).toMatchObject({ kind: "malformed" });
  });
});

describe("the session cookie", () => {
  test("ours is found among others", () => {
    expect(presentedCredential({ cookie: `a=1; ${name}=abc-_.~9; b=2` }, name)).toEqual({
      kind: "cookie",
      value: "abc-_.~9",
    });
  });

  test("another cookie is no credential, also one whose name holds ours", () => {
    expect(presentedCredential({}, name)).toBeUndefined();
    expect(presentedCredential({ cookie: "a=1" }, name)).toBeUndefined();
    expect(presentedCredential({ cookie: `x${name}=1; ${name}2=2; ${name}` }, name)).toBeUndefined();
    expect(presentedCredential({ cookie: "gatehouse=planted" }, name)).toBeUndefined();
  });

  test("two of ours, or one with odd characters, is malformed", () => {
    expect(presentedCredential({ cookie: `${name}=a; ${name}=b` }, name)).toEqual({ kind: "malformed" });
    expect(presentedCredential({ cookie: `${name}=a b` }, name)).toEqual({ kind: "malformed" });
    expect(presentedCredential({ cookie: `${name}=` }, name)).toEqual({ kind: "malformed" });
  });

  test("without secure cookies the name has no prefix", () => {
    expect(sessionCookieName(false)).toBe("gatehouse");
  });
});
