import { editsIn } from "../edit.ts";

const edge = "apps/server/src/edge";

/** Contract 1, 4, 4.1, 5.2 and 8: what every request meets, and what is told of it. */
export const edgeEdits = [
  ...editsIn(`${edge}/request-path.ts`, [
    {
      id: "1-2",
      old: 'if (path.startsWith("/api/"))',
      new: "if (/^\\/+api\\//i.test(path))",
      by: "gives the same page",
    },
    { id: "4-18", old: 'if (path === "/theme-init.js") return "theme-init";', new: "", by: "Static assets" },
  ]),
  ...editsIn("packages/contract/src/routes/routes-system.ts", [
    {
      id: "4-2",
      old: '{ kind: "public", because: "the liveness check of proxies and containers; it carries no data" }',
      new: '{ kind: "metrics-token" }',
      by: "without credentials",
    },
  ]),
  ...editsIn("apps/server/src/features/system/routes.ts", [
    { id: "4-3", old: '({ status: "ok" as const })', new: '({ status: "ok" as const, at: 1 })', by: "one field" },
    {
      id: "4-5",
      old: "const build = { version, commit, builtAt, channel, node, api };",
      new: "const build = { version, builtAt, channel, node, api };",
      by: "About page",
    },
    { id: "9-6", old: "const build = { version,", new: 'const build = { version: "0.0.0",', by: "build version" },
  ]),
  ...editsIn(`${edge}/respond.ts`, [
    {
      id: "4-4",
      old: 'const jsonHead = ["Cache-Control", "no-store",',
      new: 'const jsonHead = ["Cache-Control", "max-age=5",',
      by: "edge cache",
    },
    {
      id: "4.2-5b",
      old: 'const jsonHead = ["Cache-Control", "no-store",',
      new: 'const jsonHead = ["Cache-Control", "max-age=5",',
      by: "refusals too",
    },
    {
      id: "4.3-12",
      old: 'const jsonHead = ["Cache-Control", "no-store",',
      new: 'const jsonHead = ["Cache-Control", "max-age=5",',
      by: "cache hit",
    },
    { id: "5.2-1", old: 'exchange.facts.method === "HEAD" ? 0 : length', new: "length", by: "Each logged request" },
  ]),
  ...editsIn(`${edge}/site.ts`, [
    {
      id: "4-17",
      old: 'if (place === "page") return',
      new: 'if (path === "/" || path === "/login") return',
      by: "any non-",
    },
    { id: "4.1-1", old: 'prepare(map.shell, "no-cache")', new: 'prepare(map.shell, "max-age=60")', by: "SPA fallback" },
    {
      id: "4.1-2",
      old: 'prepare(map.themeInit, "no-cache")',
      new: 'prepare(map.themeInit, "max-age=60")',
      by: "theme-init",
    },
    { id: "4.1-3", old: "max-age=31536000, immutable", new: "max-age=31536000", by: "content-hashed files" },
    { id: "8-4", old: "max-age=31536000, immutable", new: "max-age=3153600, immutable", by: "max-age" },
  ]),
  ...editsIn(`${edge}/headers.ts`, [
    {
      id: "4.1-4",
      old: "`script-src ${sources(rules.cspScriptSrc)}`",
      new: "`script-src ${sources(rules.cspScriptSrc)} 'unsafe-inline'`",
      by: "scripts of this server",
    },
    { id: "4.1-6", old: "sources(rules.cspConnectSrc)", new: "sources(rules.cspScriptSrc)", by: "analytics beacon" },
  ]),
  ...editsIn(`${edge}/known-host.ts`, [
    {
      id: "5-9",
      old: "return (host) => host !== undefined && (",
      new: "return (host) => host !== undefined || (",
      by: "SERVICE_PUBLIC_URL",
    },
  ]),
  ...editsIn(`${edge}/client-address.ts`, [
    {
      id: "4.3-2",
      old: "if (!peer.isProxy) return peer.address;",
      new: "return peer.address;",
      by: "connecting-client-IP",
    },
    {
      id: "4.3-4",
      old: "isProxy: rules.trustProxy && (",
      new: "isProxy: !rules.trustProxy && (",
      by: "arrives through the proxy",
    },
    { id: "4.3-5", old: "if (!peer.isProxy) return peer.address;", new: "return peer.address;", by: "one visitor" },
    { id: "5.1-5", old: "isProxy: rules.trustProxy && (", new: "isProxy: (", by: "are not believed" },
    {
      id: "8-7",
      old: "isProxy: rules.trustProxy && (",
      new: "isProxy: (",
      by: "without a trusted proxy",
      inGate: true,
    },
  ]),
  ...editsIn(`${edge}/request-log.ts`, [
    { id: "5.1-10", old: "&& !rules.accessLog) return;", new: ") return;", by: "log every request" },
    {
      id: "5.2-2",
      old: "if (!isSlow && finished.status < 500 &&",
      new: "if (!isSlow && finished.status < 400 &&",
      by: "By default only",
    },
    { id: "5.2-3", old: '"SLOW request"', new: '"slow request"', by: "the tag" },
  ]),
  ...editsIn("packages/contract/src/settings/settings.ts", [
    { id: "0-2", old: "  SERVICE_PLUGIN_TRUST: {", new: "  GATEHOUSE_PLUGIN_TRUST: {", by: "every setting" },
    { id: "4.2-1b", old: 'default: "127.0.0.1:8088"', new: 'default: "0.0.0.0:8088"', by: "on loopback" },
    { id: "5.1-11", old: 'default: "1000"', new: 'default: "600"', by: "1000 ms is not slow" },
    { id: "8-1", old: 'default: "1000"', new: 'default: "600"', by: "1000 ms is not slow" },
    { id: "10-4", old: 'default: "127.0.0.1:8088"', new: 'default: "127.0.0.1:8089"', by: "health object" },
  ]),
  ...editsIn("packages/contract/src/settings/setting-values.ts", [
    { id: "5.1-3", old: "if (url === undefined) return refused;", new: "return refused;", by: "taken together" },
    { id: "5.1-6", old: 'if (!text.includes("{ip}") ||', new: 'if (text.includes("{ip}") ||', by: "taken together" },
  ]),
  ...editsIn("apps/dashboard/src/perf/perf.ts", [
    { id: "5.2-4b", old: 'call.status === 0 ? "no answer" : call.status', new: "call.status", by: "without an answer" },
    { id: "5.2-5b", old: "  place.__latticePerf ??= [];\n", new: "", by: "before there is one" },
    { id: "5.2-4", old: "console.debug(line);", new: "", by: "a quick call" },
    { id: "5.2-5", old: "calls.splice(0, calls.length - kept)", new: "calls.splice(kept)", by: "a slow call" },
  ]),
];
