import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { answerTo, ask, beginAsking } from "./ask.ts";
import { useServer } from "./server-under-test.ts";
import { filesOfShell } from "./shell-page.ts";

/** Contract 4: the table of endpoints, as far as this release has them, and the routes beside it. */
const server = useServer();

describe("GET `/api/health` liveness check", () => {
  test("JSON object with one field `status` (string) whose value is `ok`", async () => {
    const answer = await ask(server.baseUrl, "/api/health");
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"status":"ok"}');
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  test("used without credentials in the verification procedure", async () => {
    for (const headers of [{}, { Authorization: "Bearer nonsense" }, { Cookie: "gatehouse=nonsense" }]) {
      expect((await ask(server.baseUrl, { path: "/api/health", headers })).text).toBe('{"status":"ok"}');
    }
  });

  test("must never be served from an edge cache", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { headers } = await ask(server.baseUrl, { method, path: "/api/health?fresh=1" });
      expect(headers["cache-control"]).toBe("no-store");
      // Whatever a cache could keep, or later ask about, is absent.
      for (const name of ["etag", "last-modified", "expires", "age"]) expect(headers[name]).toBeUndefined();
    }
    const first = await ask(server.baseUrl, "/api/health");
    const second = await ask(server.baseUrl, "/api/health");
    expect(first.headers["x-request-id"]).not.toBe(second.headers["x-request-id"]);
  });

  test("it answers for every Host, because a probe knows no name", async () => {
    const answer = await ask(server.baseUrl, { path: "/api/health", headers: { Host: "10.0.0.7" } });
    expect(answer.text).toBe('{"status":"ok"}');
  });
});

test("GET `/api/version` build metadata used by the dashboard About page", async () => {
  const answer = await ask(server.baseUrl, "/api/version");
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.json)).toEqual(["version", "commit", "builtAt", "channel", "node", "api"]);
  expect(answer.json).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/),
    commit: expect.stringMatching(/^([0-9a-f]{40}|[0-9a-f]{64}|unknown)$/),
    builtAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    channel: expect.stringMatching(/^(stable|alpha|beta|dev)$/),
    node: expect.stringMatching(/^26\.\d+\.\d+$/),
    api: expect.stringMatching(/^\d+\.\d+$/),
  });
});

describe("the rows that need a credential", () => {
  const rows = [
    { method: "get", path: "/api/plugins/lifecycle" },
    { method: "post", path: "/api/plugins/lifecycle" },
    { method: "post", path: "/api/auth/password" },
  ];
  for (const { method, path } of rows) {
    test(`${method} \`${path}\` gives nothing to a stranger`, async () => {
      const exists = (await describedRoutes()).some((route) => route.method === method && route.path === path);
      const answer = await ask(server.baseUrl, { method: method.toUpperCase(), path });
      // A part that has not arrived is unknown; one that has asks who is there before it looks at the request.
      expect(answer.status).toBe(exists ? 401 : 404);
      expect(answer.headers["content-type"]).toBe("application/problem+json");
    });
  }
});

describe("the three WebSocket paths", () => {
  const paths = ["/api/terminal/sessions/ter_1/attach", "/api/agent/terminal/stream", "/api/agent/control/stream"];
  const handshake = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };

  /** The status of the answer; 101 when the connection was upgraded. */
  async function tryUpgrade(path: string, headers: Record<string, string>): Promise<number> {
    const sent = beginAsking(server.baseUrl, { path, headers: { ...handshake, ...headers } });
    const upgraded = once(sent, "upgrade").then(([response, socket]) => {
      (socket as Socket).destroy();
      return (response as IncomingMessage).statusCode ?? 0;
    });
    upgraded.catch(() => undefined);
    sent.end();
    const answered = answerTo(sent).then(({ status, headers: answer }) => {
      expect(answer["content-type"], path).toBe("application/problem+json");
      return status;
    });
    answered.catch(() => undefined);
    return Promise.race([answered, upgraded]);
  }

  for (const path of paths) {
    test(`\`${path}\` does not upgrade a stranger's connection`, async () => {
      for (const headers of [{}, { Origin: server.baseUrl }, { Cookie: "gatehouse=nonsense" }]) {
        const status = await tryUpgrade(path, headers);
        expect(status, path).toBeGreaterThanOrEqual(400);
        expect(status, path).toBeLessThan(500);
      }
    });
  }

  // What is said on the channel is held where the agent is.
  test("`/api/agent/control/stream` upgrades whoever speaks the agent's protocol, and no page", async () => {
    const path = "/api/agent/control/stream";
    const protocol = { "Sec-WebSocket-Protocol": "gatehouse.agent.1" };
    expect(await describedSockets()).toContain(path);
    expect(await tryUpgrade(path, protocol)).toBe(101);
    for (const more of [{ Origin: server.baseUrl }, { Cookie: "gatehouse=nonsense" }]) {
      expect(await tryUpgrade(path, { ...protocol, ...more })).toBe(403);
    }
  });
});

describe("/api/openapi.json", () => {
  test("every route that it does not call open refuses a request without a credential", async () => {
    const closed = (await describedRoutes()).filter(({ security }) => security.length > 0);
    expect(closed.length).toBeGreaterThan(0);
    for (const { method, path, security } of closed) {
      const answer = await ask(server.baseUrl, {
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, "x"),
      });
      // Metrics are off until their own token is set; that is told before anything else.
      const expected = security.includes("metrics") ? [401, 403] : [401];
      expect(expected, `${method} ${path}`).toContain(answer.status);
      expect(answer.headers["content-type"], `${method} ${path}`).toBe("application/problem+json");
    }
  });

  test("it describes the routes of the contract that exist, and its own version", async () => {
    const { json } = await ask(server.baseUrl, "/api/openapi.json");
    const { json: build } = await ask(server.baseUrl, "/api/version");
    expect(json).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { version: build["version"] } });
    const paths = (await describedRoutes()).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["/api/health", "/api/version", "/api/ready", "/api/openapi.json"]));
    expect(paths.filter((path) => !path.startsWith("/api/"))).toEqual([]);
  });
});

describe("Other routes", () => {
  test("any non-`/api/` route (including `/` and `/login`) serves the single-page dashboard shell", async () => {
    const shell = await ask(server.baseUrl, "/");
    for (const path of ["/login", "/plugins/netguard", "/any/thing/at/all"]) {
      const answer = await ask(server.baseUrl, path);
      expect({ path, status: answer.status, same: answer.text === shell.text }).toEqual({
        path,
        status: 200,
        same: true,
      });
    }
  });

  test("Static assets are under `/assets/*` and a boot script at `/theme-init.js`", async () => {
    const files = await filesOfShell(server.baseUrl);
    expect(files).toContain("/theme-init.js");
    expect(files.filter((file) => file !== "/theme-init.js" && !file.startsWith("/assets/"))).toEqual([]);
    const types = {
      js: "text/javascript",
      css: "text/css",
      json: "application/json",
      svg: "image/svg+xml",
      woff2: "font/woff2",
      txt: "text/plain",
    };
    for (const file of files) {
      const answer = await ask(server.baseUrl, file);
      const expected = Object.entries(types).find(([ending]) => file.endsWith(`.${ending}`))?.[1] ?? "(unknown ending)";
      expect(answer.status, file).toBe(200);
      expect(answer.headers["content-type"]?.split(";")[0], file).toBe(expected);
      expect(answer.headers["x-content-type-options"], file).toBe("nosniff");
    }
  });

  test("an unknown name under `/assets/` is not the shell, and no way out of the folder is", async () => {
    const names = ["nothing.js", "", "../index.html", "..%2f..%2fpackage.json", "../../package.json", "map.json"];
    for (const name of names) {
      const answer = await ask(server.baseUrl, `/assets/${name}`);
      expect(answer.status, name).toBe(404);
      expect(answer.headers["content-type"], name).toBe("application/problem+json");
      expect(answer.headers["cache-control"], name).toBe("no-store");
    }
  });
});

test("a Host that is neither the public URL's nor loopback is answered with 421", async () => {
  for (const path of ["/", "/login", "/theme-init.js", "/api/version", "/api/nothing"]) {
    const answer = await ask(server.baseUrl, { path, headers: { Host: "rebound.example" } });
    expect(answer.status, path).toBe(421);
    expect(answer.json, path).toMatchObject({ code: "request.unknown_host" });
  }
});

interface DescribedRoute {
  readonly path: string;
  readonly method: string;
  readonly security: readonly string[];
}

type Described = Record<string, Record<string, { security: Record<string, unknown>[]; "x-websocket"?: object }>>;

/** A socket takes no plain request; those are asked for in their own way. */
async function describedRoutes(): Promise<DescribedRoute[]> {
  const { json } = await ask(server.baseUrl, "/api/openapi.json");
  return Object.entries(json["paths"] as Described).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => described["x-websocket"] === undefined)
      .map(([method, { security }]) => ({ path, method, security: security.flatMap(Object.keys) })),
  );
}

async function describedSockets(): Promise<string[]> {
  const { json } = await ask(server.baseUrl, "/api/openapi.json");
  return Object.entries(json["paths"] as Described)
    .filter(([, { get }]) => get?.["x-websocket"] !== undefined)
    .map(([path]) => path);
}
