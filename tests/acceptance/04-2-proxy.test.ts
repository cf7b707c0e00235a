import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ask, beginAsking } from "./ask.ts";
import { silentPath, startEchoServer } from "./driver/echo-server.ts";
import { checkMainConfig, type Nginx, shipped, siteName, startNginx } from "./driver/nginx.ts";
import { addressInLog } from "./log-line.ts";
import { isExternal, root, runServer, startServer, testWithControl, useControlledServer } from "./server-under-test.ts";

/** Contract 4.2, with a real nginx that runs the shipped `deploy/nginx/gatehouse.conf`. */
const Host = siteName;
const mebibyte = 1024 * 1024;

testWithControl("The container listens on `127.0.0.1:8088` (compose default)", async () => {
  const { out } = await runServer(["--help"]);
  expect(out).toMatch(/SERVICE_LISTEN\n(?: {6}.*\n)*? {6}Unset: 127\.0\.0\.1:8088\./);
});

test("The container listens on `127.0.0.1:8088`: compose publishes that and nothing else", () => {
  const compose = readFileSync(join(root, "deploy/compose/compose.yaml"), "utf8");
  const lines = compose
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const from = lines.indexOf("ports:") + 1;
  const published = lines.slice(
    from,
    lines.findIndex((line, at) => at >= from && !line.startsWith("- ")),
  );
  expect(published).toEqual(['- "127.0.0.1:8088:8088"']);
  expect(lines.filter((line) => /^(ports|network_mode|networks)\b/.test(line))).toEqual(["ports:"]);
});

describe("The proxy forwards", () => {
  let echo: Awaited<ReturnType<typeof startEchoServer>>;
  let nginx: Nginx;
  beforeAll(async () => {
    echo = await startEchoServer();
    nginx = await startNginx({ upstream: echo.address });
  });
  afterAll(async () => {
    await nginx.stop();
    await echo.stop();
  });

  test("`Host` unchanged, a client-IP header, the forwarded-for chain, and forwarded protocol `https`", async () => {
    for (const name of [siteName, `${siteName}:8443`, "files.example.net"]) {
      const headers = { Host: name, "X-Forwarded-For": "192.0.2.66", "X-Forwarded-Proto": "http" };
      await ask(nginx.httpsUrl, { path: "/a%2Fb?c=d", headers });
      const { url, version, headers: sent } = lastHeard();
      expect({ url, version }).toEqual({ url: "/a%2Fb?c=d", version: "1.1" });
      expect(sent).toMatchObject({
        host: name,
        "x-real-ip": "127.0.0.1",
        "x-forwarded-for": "192.0.2.66, 127.0.0.1",
        "x-forwarded-proto": "https",
      });
    }
  });

  test("what a visitor writes into the client-IP headers does not get through", async () => {
    const headers = { Host, "X-Real-IP": "192.0.2.66", "CF-Connecting-IP": "192.0.2.67" };
    await ask(nginx.httpsUrl, { path: "/", headers });
    expect(lastHeard().headers["x-real-ip"]).toBe("127.0.0.1");
    expect(lastHeard().headers["cf-connecting-ip"]).toBeUndefined();
  });

  for (const path of [
    "/api/terminal/sessions/ter_1/attach",
    "/api/agent/terminal/stream",
    "/api/agent/control/stream",
  ]) {
    test(`${path}: the proxy preserves \`Upgrade\` and \`Connection\`, uses HTTP/1.1 to the upstream`, async () => {
      const [response, socket] = await upgrade(nginx, path);
      expect(response.statusCode).toBe(101);
      socket.destroy();
      expect(lastHeard()).toMatchObject({ url: path, version: "1.1" });
      expect(lastHeard().headers).toMatchObject({ host: Host, upgrade: "websocket", connection: "upgrade" });
    });
  }

  test("an idle channel is still open when the proxy gives an ordinary request up that was begun behind it", async () => {
    const impatient = await startNginx({ upstream: echo.address, ordinaryTimeout: "1s" });
    onTestFinished(() => impatient.stop());
    const [, channel] = await upgrade(impatient, "/api/agent/control/stream");
    const heard = once(channel, "data").then(([part]) => String(part));
    const first = Promise.race([heard, once(channel, "close").then(() => "the proxy has closed it")]);
    expect((await ask(impatient.httpsUrl, { path: silentPath, headers: { Host } })).status).toBe(504);
    channel.write("still there");
    expect(await first).toBe("still there");
    channel.destroy();
  });

  test("no other path can be upgraded", async () => {
    for (const path of ["/", "/api/events", "/api/terminal/sessions/a/b/attach", "/api/agent/control/stream/more"]) {
      await ask(nginx.httpsUrl, { path, headers: { Host, Connection: "Upgrade", Upgrade: "websocket" } });
      expect(lastHeard().headers.upgrade, path).toBeUndefined();
    }
  });

  test("request body limit 50 MiB (`50m`)", async () => {
    const size = String(50 * mebibyte + 1);
    const tooLarge = beginAsking(nginx.httpsUrl, {
      method: "PUT",
      path: "/x",
      headers: { Host, "Content-Length": size },
    });
    tooLarge.flushHeaders();
    const [refusal] = (await once(tooLarge, "response")) as [{ statusCode: number }];
    expect(refusal.statusCode).toBe(413);
    tooLarge.destroy();
    const largest = Buffer.alloc(50 * mebibyte);
    const answer = await ask(nginx.httpsUrl, { method: "PUT", path: "/x", headers: { Host }, body: largest });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: "heard" });
  });

  test("read and send timeouts 300 seconds; the three WebSocket paths have longer ones", () => {
    const values = (directive: string) => nginx.config.match(new RegExp(`^ +${directive} .*$`, "gm"))?.map(lastWord);
    expect(values("proxy_read_timeout")).toEqual(["300s;", "1h;"]);
    expect(values("proxy_send_timeout")).toEqual(["300s;", "1h;"]);
  });

  test("Port 80 stays open for certificate-renewal challenges", async () => {
    writeFileSync(join(nginx.challenges, "token"), "token.thumbprint");
    const answer = await ask(nginx.httpUrl, { path: "/.well-known/acme-challenge/token", headers: { Host } });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: "token.thumbprint" });
    const missing = await ask(nginx.httpUrl, { path: "/.well-known/acme-challenge/none", headers: { Host } });
    expect(missing.status).toBe(404);
  });

  test("and redirects all other traffic to HTTPS", async () => {
    const heardBefore = echo.heard.length;
    for (const path of ["/", "/login?next=%2F", "/api/health"]) {
      const answer = await ask(nginx.httpUrl, { path, headers: { Host } });
      expect(answer.status).toBe(301);
      expect(answer.headers.location).toBe(`https://${siteName}${path}`);
    }
    expect(echo.heard.length).toBe(heardBefore);
  });

  async function upgrade(by: Nginx, path: string): Promise<[IncomingMessage, Duplex]> {
    const headers = { Host, Connection: "Upgrade", Upgrade: "websocket" };
    const sent = beginAsking(by.httpsUrl, { path, headers });
    sent.end();
    const refused = once(sent, "response").then(() => expect.unreachable("it was answered, and not upgraded"));
    return (await Promise.race([once(sent, "upgrade"), refused])) as [IncomingMessage, Duplex];
  }

  function lastHeard() {
    const heard = echo.heard.at(-1);
    if (heard === undefined) throw new Error("the proxy sent nothing");
    return heard;
  }
});

describe.skipIf(isExternal)("the server behind the proxy", () => {
  const settings = { SERVICE_PUBLIC_URL: `https://${siteName}`, SERVICE_ACCESS_LOG: "1", SERVICE_TRUST_PROXY: "1" };
  const server = useControlledServer({ settings });

  test("Public HTTPS is terminated by a trusted reverse proxy", async () => {
    const nginx = await nginxBefore(server().baseUrl);
    const health = await ask(nginx.httpsUrl, { path: "/api/health", headers: { Host } });
    expect(health.text).toBe('{"status":"ok"}');
    const page = await ask(nginx.httpsUrl, { path: "/login", headers: { Host } });
    expect({ status: page.status, cache: page.headers["cache-control"] }).toEqual({ status: 200, cache: "no-cache" });
    const foreign = await ask(nginx.httpsUrl, { path: "/", headers: { Host: "foreign.example" } });
    expect(foreign.status).toBe(421);
  });

  test("API responses under `/api/*` are never cached by the proxy or edge", async () => {
    const cacheEverything = `
      proxy_cache_path cache keys_zone=all:1m;
      proxy_cache all;
      proxy_cache_valid any 10m;
      proxy_ignore_headers Cache-Control Expires Set-Cookie;`;
    const nginx = await nginxBefore(server().baseUrl, cacheEverything);
    const ids = new Set<unknown>();
    for (let time = 0; time < 3; time += 1) {
      const answer = await ask(nginx.httpsUrl, { path: "/api/health", headers: { Host } });
      expect(answer.headers["cache-control"]).toBe("no-store");
      ids.add(answer.headers["x-request-id"]);
    }
    expect(ids.size).toBe(3);
  });

  test("every answer under `/api/` says `no-store`, refusals too", async () => {
    const { baseUrl } = server();
    const questions = [
      { path: "/api/health" },
      { path: "/api/version" },
      { path: "/api/openapi.json" },
      { path: "/api/nothing" },
      { path: "/api/events" },
      { path: "/api/metrics" },
      { method: "POST", path: "/api/health" },
      { method: "POST", path: "/api/csp-reports", body: "no JSON", headers: { "Content-Type": "application/json" } },
      { path: "/api/version", headers: { Host: "foreign.example" } },
    ];
    for (const question of questions) {
      const answer = await ask(baseUrl, question);
      expect(answer.headers["cache-control"], `${answer.status} ${question.path}`).toBe("no-store");
    }
  });

  test("with `SERVICE_TRUST_PROXY=1` the client's address arrives through the proxy", async () => {
    const nginx = await nginxBefore(server().baseUrl);
    const answer = await ask(nginx.httpsUrl, { path: "/api/version", headers: { Host }, from: "127.0.0.9" });
    expect(await addressInLog(server(), answer.headers["x-request-id"])).toBe("127.0.0.9");
  });

  test("without it the headers are not believed", async () => {
    const plain = await startServer({ settings: { ...settings, SERVICE_TRUST_PROXY: "0" } });
    const nginx = await nginxBefore(plain.baseUrl);
    const answer = await ask(nginx.httpsUrl, { path: "/api/version", headers: { Host }, from: "127.0.0.9" });
    expect(await addressInLog(plain, answer.headers["x-request-id"])).toBe("127.0.0.1");
  });
});

async function nginxBefore(baseUrl: string, globally = ""): Promise<Nginx> {
  const nginx = await startNginx({ upstream: new URL(baseUrl).host, globally });
  onTestFinished(() => nginx.stop());
  return nginx;
}

test("the proxy and the container have room for the fleet that is promised: 10,000 agents, and people beside them", () => {
  const [agents, people] = [10_000, 1_000];
  const file = shipped("many-agents.conf");
  const numberIn = (text: string, form: RegExp) => Number(form.exec(text)?.[1]);
  const connections = numberIn(file, /s\/worker_connections 768;\/worker_connections (\d+);\//);
  // One to the client and one to the server, all of them through one worker at the worst.
  expect(connections).toBeGreaterThanOrEqual(2 * (agents + people));
  expect(numberIn(file, /^worker_rlimit_nofile (\d+);$/m)).toBeGreaterThan(connections + 1_000);
  const [, before = "", waiting] = /s\/(listen [^/]+;)\/listen 443 ssl backlog=(\d+);\//.exec(file) ?? [];
  expect(shipped("gatehouse.conf")).toContain(before);
  // All that come in two seconds of the window in which the fleet returns.
  expect(Number(waiting)).toBeGreaterThanOrEqual((2 * agents) / 20);
  const compose = readFileSync(join(root, "deploy/compose/compose.yaml"), "utf8");
  expect(numberIn(compose, /^ +nofile: (\d+)$/m)).toBeGreaterThanOrEqual(agents + people + 256);
  // nginx itself takes the file where it says that it belongs.
  checkMainConfig(file, connections);
});

function lastWord(line: string): string {
  return line.trim().split(/\s+/).at(-1) ?? "";
}
