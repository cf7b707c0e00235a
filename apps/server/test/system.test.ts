import { fault } from "@gatehouse/contract";
import { auditCheckRoute } from "@gatehouse/contract/routes";
import type { CheckReport, Store } from "@gatehouse/store";
import { describe, expect, test } from "vitest";
import { inventedEntry } from "../../../tests/support/invented-entry.ts";
import { until } from "../../../tests/support/until.ts";
import { farStore } from "./far-store.ts";
import { bearer, startServer, testBuild, testIdentity, keptWith } from "./start-server.ts";

describe("health", () => {
  test("is exactly one field that says ok (contract 4)", async () => {
    const server = await startServer();
    const answer = await server.get("/api/health");
    expect(await answer.text()).toBe('{"status":"ok"}');
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

describe("readiness", () => {
  test("follows the store", async () => {
    let writable = true;
    const store = { ...farStore(), health: () => ({ writable, reason: "canary: /srv/data is full" }) };
    const server = await startServer({ parts: { kept: keptWith(store) } });
    const { checks, ...rest } = (await (await server.get("/api/ready")).json()) as { checks: object };
    expect([rest, checks]).toEqual([{ status: "ready" }, { store: "ok", audit: expect.any(String) }]);
    writable = false;
    const answer = await server.get("/api/ready");
    const text = await answer.text();
    expect([answer.status, JSON.parse(text)]).toMatchObject([
      503,
      { code: "server.not_ready", checks: { store: "failed" } },
    ]);
    expect(text).not.toContain("canary");
    expect((await server.get("/api/health")).status).toBe(200);
  });
});

test("the version says which build this is", async () => {
  const server = await startServer();
  expect(await (await server.get("/api/version")).json()).toEqual(testBuild);
});

test("an audit log that is not as it was written is told by readiness and metrics, and stops nobody", async () => {
  const metricsToken = "0123456789abcdef0123456789abcdef";
  const store = farStore();
  const answer = Promise.withResolvers<CheckReport>();
  const told = Promise.withResolvers<undefined>();
  const commit: Store["commit"] = async (entry, ...more) => {
    const committed = await store.commit(entry, ...more);
    if (entry.action === "audit.check_failed") told.resolve(undefined);
    return committed;
  };
  const kept = keptWith({ ...store, checkAudit: () => answer.promise, commit });
  const server = await startServer({ parts: { kept }, config: { metricsToken } });
  const seen = async () => {
    const ready = await server.get("/api/ready");
    const figures = await (await server.get("/api/metrics", bearer(metricsToken))).text();
    const { checks } = (await ready.json()) as { checks: { audit: string } };
    return [ready.status, checks.audit, /^gatehouse_audit_ok (.*)$/m.exec(figures)?.[1]];
  };
  expect(await seen()).toEqual([200, "checking", "Nan"]);
  const head = { position: 2, link: "" };
  const broken = { file: "logs.db", position: 1, expected: "x", found: "y" };
  answer.resolve({ ok: false, floor: head, head, records: 0, broken });
  await told.promise;
  expect(await seen()).toEqual([200, "failed", "0"]);
});

test("damage of the audit log that a reader meets is refused by name, and readiness says so from then on", async () => {
  const fields = { file: "state.json.audit-wal", position: 3, expected: "a group", found: "other bytes" };
  const searchAudit = () => Promise.reject(fault("store.log_damaged", "canary: /srv/data", { fields }));
  const kept = keptWith({ ...farStore(), searchAudit });
  const { parts } = testIdentity({ auditor: ["audit:read"] });
  const server = await startServer({ parts: { kept, ...parts } });
  const audit = async () => {
    const { checks } = (await (await server.get("/api/ready")).json()) as { checks: { audit: string } };
    return checks.audit;
  };
  await until("the first check has ended", async () => (await audit()) === "ok");
  const answer = await server.get("/api/audit", bearer("auditor"));
  const text = await answer.text();
  expect([answer.status, JSON.parse(text)]).toMatchObject([500, { ...fields, code: "store.log_damaged" }]);
  expect(text).not.toContain("canary");
  expect(await audit()).toBe("failed");
  const check = auditCheckRoute.responses[200].parse(
    await (await server.get("/api/audit/check", bearer("auditor"))).json(),
  );
  expect(check).toMatchObject({ state: "failed", broken: fields });
});

describe("metrics", () => {
  const metricsToken = "0123456789abcdef0123456789abcdef";

  test("are refused without a configured token and with any other", async () => {
    const closed = await startServer();
    const refused = await closed.get("/api/metrics", bearer(metricsToken));
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "server.metrics_disabled" }]);
    const server = await startServer({ config: { metricsToken } });
    expect((await server.get("/api/metrics")).status).toBe(401);
    expect((await server.get("/api/metrics", bearer("wrong"))).status).toBe(401);
    expect((await server.get(`/api/metrics?token=${metricsToken}`)).status).toBe(401);
  });

  test("count requests by pattern and class, never by what a stranger wrote", async () => {
    const server = await startServer({ config: { metricsToken, apiRate: { perSecond: 1, burst: 6 } } });
    await server.store.commit(inventedEntry({ at: 1, actor: "system", action: "test.made", subject: "test/1" }));
    await server.get("/api/version");
    for (let i = 0; i < 4; i += 1) await server.get(`/api/stranger-${i}`);
    await server.get("/login/stranger");
    await server.raw("FOO / HTTP/1.1\r\n\r\n");
    const text = await (await server.get("/api/metrics", bearer(metricsToken))).text();
    expect(text).toContain('gatehouse_http_requests_total{route="/api/version",method="GET",status="2xx"} 1');
    expect(text).toContain('gatehouse_http_requests_total{route="unknown",method="GET",status="4xx"} 4');
    expect(text).toContain('gatehouse_http_requests_total{route="page",method="GET",status="2xx"} 1');
    expect(text).toContain('gatehouse_http_request_seconds_count{route="/api/version"} 1');
    expect(text).toContain('gatehouse_http_request_seconds_bucket{le="+Inf",route="unknown"} 4');
    expect(text).toContain("gatehouse_audit_position 2");
    expect(text).toContain("gatehouse_store_writable 1");
    expect(text).toMatch(/^# TYPE gatehouse_telemetry_dropped_total counter\ngatehouse_telemetry_dropped_total 0$/m);
    expect(text).toContain("nodejs_eventloop_lag_seconds");
    expect(text).toContain("process_cpu_user_seconds_total");
    expect(text).not.toContain("stranger");
    for (let i = 0; i < 3; i += 1) await server.get("/api/version");
    const later = await (await server.get("/api/metrics", bearer(metricsToken))).text();
    expect(later).toMatch(/gatehouse_http_rate_limited_total [1-9]/);
  });
});

describe("the description of the API", () => {
  interface Described {
    openapi: string;
    paths: Record<
      string,
      Record<string, { operationId: string; responses: Record<string, unknown>; parameters: unknown[] }>
    >;
    components: { schemas: Record<string, unknown> };
  }

  test("is OpenAPI 3.1 of every route, with resolvable references", async () => {
    const server = await startServer();
    const text = await (await server.get("/api/openapi.json")).text();
    const described = JSON.parse(text) as Described;
    expect(described.openapi).toBe("3.1.0");
    expect(Object.keys(described.paths)).toEqual([
      "/api/health",
      "/api/ready",
      "/api/version",
      "/api/openapi.json",
      "/api/metrics",
      "/api/csp-reports",
      "/api/events",
      "/api/audit",
      "/api/audit/verify",
      "/api/audit/check",
      "/api/audit/witness",
      "/api/audit/witnesses",
      "/api/plugins/lifecycle",
      "/api/plugins/{id}/actions/{action}",
      "/api/plugins/{id}/answers",
      "/api/plugins/verify",
      "/api/plugins/trust",
      "/api/plugins/contributions",
      "/api/map/lines",
      "/api/marketplace",
      "/api/nodes/enrolments",
      "/api/nodes/enrolments/{id}",
      "/api/nodes",
      "/api/nodes/{id}",
      "/api/nodes/{id}/drift",
      "/api/agent/enrol",
      "/api/agent/download",
      "/api/agent/download/{arch}",
      "/api/nodes/{id}/metrics",
      "/api/alerts",
      "/api/alerts/{id}/acknowledgement",
      "/api/alert-rules",
      "/api/alert-rules/{id}",
      "/api/alert-silences",
      "/api/alert-silences/{id}",
      "/api/logs",
      "/api/logs/counts",
      "/api/map/places",
      "/api/plans",
      "/api/plans/{id}/undo",
      "/api/nodes/{id}/drift/plan",
      "/api/nodes/{id}/drift/difference",
      "/api/plans/{id}",
      "/api/plans/{id}/document",
      "/api/plans/{id}/question",
      "/api/plans/{id}/sections",
      "/api/plans/{id}/review",
      "/api/plans/{id}/withdrawal",
      "/api/plans/{id}/rejection",
      "/api/plans/{id}/approvals",
      "/api/plans/{id}/apply",
      "/api/plans/{id}/halt",
      "/api/plans/{id}/waves",
      "/api/plans/{id}/tasks",
      "/api/artifacts",
      "/api/artifacts/{id}/parts/{number}",
      "/api/artifacts/{id}",
      "/api/artifacts/{id}/content",
      "/api/settings",
      "/api/plans/stop",
      "/api/webhooks",
      "/api/webhooks/{id}",
      "/api/webhooks/{id}/secret",
      "/api/webhooks/{id}/test",
      "/api/webhooks/{id}/deliveries",
      "/api/overview",
      "/api/agent/control/stream",
    ]);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(described.components.schemas).toHaveProperty(name ?? "");
    }
    expect(text).not.toContain("$defs");
    const ids = Object.values(described.paths).flatMap((methods) =>
      Object.values(methods).map((row) => row.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(described.paths["/api/health"]?.["get"]?.responses["200"]).toMatchObject({
      content: {
        "application/json": { schema: { properties: { status: { const: "ok" } }, additionalProperties: false } },
      },
    });
    expect(described.paths["/api/events"]?.["get"]?.parameters).toMatchObject([
      { name: "after", in: "query", required: false },
      { name: "last-event-id", in: "header", required: false },
    ]);
  });
});

describe("reports of blocked content", () => {
  const report = JSON.stringify({
    "csp-report": {
      "document-uri": "http://localhost/login?secret=canary",
      "blocked-uri": "inline",
      "effective-directive": "script-src-elem",
    },
  });
  const send = (url: string, type: string, body: string) =>
    fetch(`${url}/api/csp-reports`, { method: "POST", body, headers: { "Content-Type": type, Origin: "null" } });

  test("are taken in each form a browser sends, without a credential", async () => {
    const server = await startServer();
    const before = await server.store.head();
    for (const type of ["application/csp-report", "application/reports+json", "application/json"]) {
      expect((await send(server.url, type, report)).status).toBe(204);
    }
    expect((await send(server.url, "text/plain", report)).status).toBe(415);
    expect((await send(server.url, "application/json", '"x"')).status).toBe(400);
    const large = await send(server.url, "application/csp-report", `{"a":"${"x".repeat(16 * 1024)}"}`);
    expect(large.status).toBe(413);
    expect(await server.store.head()).toEqual(before);
  });

  test("are taken from one address only so often", async () => {
    const server = await startServer();
    const statuses: number[] = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await send(server.url, "application/csp-report", report)).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
    expect((await server.get("/api/version")).status).toBe(200);
  });
});
