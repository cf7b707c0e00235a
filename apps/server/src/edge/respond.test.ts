import { Fault, type FaultKind } from "@gatehouse/base";
import { fault } from "@gatehouse/contract";
import { problemSchema } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { problemOf, statusOfKind } from "./respond.ts";

function headerOf(head: readonly string[], name: string): string | undefined {
  const at = head.indexOf(name);
  return at === -1 ? undefined : head[at + 1];
}

describe("a refusal as a problem", () => {
  test("says everything a person and a program need", () => {
    const { body } = problemOf(
      fault("auth.scope_missing", "needs plugin:admin", { fields: { scope: "plugin:admin" } }),
      "req_1",
    );
    expect(body).toEqual({
      scope: "plugin:admin",
      type: "urn:gatehouse:problem:auth.scope_missing",
      title: "The credential lacks a scope",
      status: 403,
      detail: "needs plugin:admin",
      code: "auth.scope_missing",
      requestId: "req_1",
      todo: "Use a credential that holds the scope named in the detail.",
    });
    expect(problemSchema.safeParse(body).success).toBe(true);
  });

  test("cannot be disguised by a field of the case", () => {
    const { body } = problemOf(
      fault("request.malformed", "d", { fields: { status: 200, code: "ok", requestId: "x" } }),
      "req_1",
    );
    expect(body).toMatchObject({ status: 400, code: "request.malformed", requestId: "req_1" });
  });

  test("carries the headers that belong to its case", () => {
    const limited = problemOf(fault("request.rate_limited", "d", { fields: { retryAfter: 7 } }), "r");
    expect(headerOf(limited.head, "Retry-After")).toBe("7");
    const method = problemOf(fault("request.method_not_allowed", "d", { fields: { allow: ["GET", "HEAD"] } }), "r");
    expect(headerOf(method.head, "Allow")).toBe("GET, HEAD");
    const credential = problemOf(fault("auth.credential_required", "d"), "r");
    expect(headerOf(credential.head, "WWW-Authenticate")).toBe('Bearer realm="gatehouse"');
    expect(headerOf(credential.head, "Retry-After")).toBeUndefined();
    expect(headerOf(limited.head, "Cache-Control")).toBe("no-store");
  });
});

describe("a failure as a problem", () => {
  test("says nothing about how the server failed", () => {
    const secrets = [new Error("canary /srv/data"), "canary", undefined, null, { canary: 1 }];
    const planned = fault("secret.unreadable", "canary user/usr_1", {
      fields: { canary: 1 },
      cause: new Error("canary"),
    });
    const startup = fault("store.locked", "canary");
    for (const thrown of [...secrets, planned, startup]) {
      const { body } = problemOf(thrown, "req_1");
      expect(body).toMatchObject({ status: 500, code: "server.internal", requestId: "req_1" });
      expect(JSON.stringify(body)).not.toContain("canary");
    }
  });

  test("that passes says what it is, without the detail", () => {
    const { body } = problemOf(fault("store.disk_full", "canary: /srv/data has 12 bytes left"), "r");
    expect(body).toMatchObject({ status: 507, code: "store.disk_full", detail: "The disk is full" });
    expect(problemOf(fault("server.stopping", "x"), "r").body.status).toBe(503);
  });

  test("of damaged files says where, what was expected and what was found, without a path", () => {
    const fields = { file: "state.json.audit-wal", position: 3, expected: "a group", found: "other bytes" };
    const { body } = problemOf(fault("store.log_damaged", "canary: /srv/data/…", { fields }), "r");
    expect(body).toMatchObject({
      ...fields,
      status: 500,
      code: "store.log_damaged",
      title: "The audit log is damaged",
    });
    expect(JSON.stringify(body)).not.toContain("canary");
  });
});

test("every kind of refusal has a status between 400 and 599", () => {
  for (const [kind, status] of Object.entries(statusOfKind)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    const made = new Fault({ kind: kind as FaultKind, code: "x.y", title: "t", detail: "d" });
    expect(problemOf(made, "r").body.status).toBe(status);
  }
});
