import { isFault } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { loadConfig, warningsOf } from "./config.ts";

test("an empty environment gives a server on loopback that trusts nobody", () => {
  expect(loadConfig({})).toEqual({
    listen: { host: "127.0.0.1", port: 8088 },
    dataDir: "./data",
    secureCookies: false,
    trustProxy: false,
    trustedProxies: [],
    apiRate: { perSecond: 30, burst: 60 },
    signinRate: { perMinute: 5 },
    logFormat: "text",
    accessLog: false,
    slowRequestMs: 1000,
    metricsRetentionDays: 30,
    hostLogsRetentionDays: 14,
    hostLogsMaxGib: 5,
    hostLogsBudget: { linesPerSecond: 200, behindSeconds: 300 },
    cspScriptSrc: [],
    cspConnectSrc: [],
    geoipLookupUrl: "https://ipwho.is/{ip}",
    agentBeatSeconds: 10,
    agentWindowSeconds: 20,
    pluginDir: "./bundles",
    pluginSandbox: "landlock",
    pluginDeadlineFactor: 1,
    runtimeDir: "data/runtime",
  });
});

test("every setting arrives under the name the code uses", () => {
  const config = loadConfig({
    SERVICE_LISTEN: "[::1]:9000",
    SERVICE_DATA_DIR: "/data",
    SERVICE_MASTER_KEY_FILE: "/run/secrets/master.key",
    SERVICE_AUDIT_RETENTION_DAYS: "365",
    SERVICE_BACKUP_RECIPIENT: "age1recipient",
    SERVICE_PUBLIC_URL: "https://gate.example",
    SERVICE_SECURE_COOKIES: "1",
    SERVICE_TRUST_PROXY: "1",
    SERVICE_TRUSTED_PROXIES: "203.0.113.0/24",
    SERVICE_ADMIN_USERNAME: "ines",
    SERVICE_ADMIN_PASSWORD: "correct horse battery",
    SERVICE_API_RATE: "100,200",
    SERVICE_SIGNIN_RATE: "10",
    SERVICE_LOG_FORMAT: "json",
    SERVICE_ACCESS_LOG: "1",
    SERVICE_SLOW_REQUEST_MS: "250",
    SERVICE_METRICS_TOKEN: "m".repeat(32),
    SERVICE_METRICS_RETENTION_DAYS: "90",
    SERVICE_HOST_LOGS_RETENTION_DAYS: "30",
    SERVICE_HOST_LOGS_MAX_GIB: "50",
    SERVICE_HOST_LOGS_LINES_PER_SECOND: "50",
    SERVICE_HOST_LOGS_BEHIND_SECONDS: "60",
    SERVICE_CSP_SCRIPT_SRC: "https://beacon.example",
    SERVICE_CSP_CONNECT_SRC: "https://collect.example",
    SERVICE_GEOIP_LOOKUP_URL: "off",
    SERVICE_AGENT_BEAT_SECONDS: "5",
    SERVICE_AGENT_WINDOW_SECONDS: "60",
    SERVICE_PLUGIN_DIR: "/plugins",
    SERVICE_PLUGIN_TRUST: "/etc/gatehouse/plugin-trust.json",
    SERVICE_MARKETPLACE_FILE: "/etc/gatehouse/marketplace.json",
    SERVICE_PLUGIN_SANDBOX: "none",
    SERVICE_PLUGIN_DEADLINE_FACTOR: "3",
    SERVICE_RUNTIME_DIR: "/run/gatehouse",
  });
  expect(config).toEqual({
    listen: { host: "::1", port: 9000 },
    dataDir: "/data",
    masterKeyFile: "/run/secrets/master.key",
    auditRetentionDays: 365,
    backupRecipient: "age1recipient",
    publicUrl: new URL("https://gate.example"),
    secureCookies: true,
    trustProxy: true,
    trustedProxies: ["203.0.113.0/24"],
    adminUsername: "ines",
    adminPassword: "correct horse battery",
    apiRate: { perSecond: 100, burst: 200 },
    signinRate: { perMinute: 10 },
    logFormat: "json",
    accessLog: true,
    slowRequestMs: 250,
    metricsToken: "m".repeat(32),
    metricsRetentionDays: 90,
    hostLogsRetentionDays: 30,
    hostLogsMaxGib: 50,
    hostLogsBudget: { linesPerSecond: 50, behindSeconds: 60 },
    cspScriptSrc: ["https://beacon.example"],
    cspConnectSrc: ["https://collect.example"],
    geoipLookupUrl: "off",
    agentBeatSeconds: 5,
    agentWindowSeconds: 60,
    pluginDir: "/plugins",
    pluginTrust: { file: "/etc/gatehouse/plugin-trust.json" },
    marketplaceFile: "/etc/gatehouse/marketplace.json",
    pluginSandbox: "none",
    pluginDeadlineFactor: 3,
    runtimeDir: "/run/gatehouse",
  });
});

test("the configuration cannot be changed after it was read", () => {
  const config = loadConfig({ SERVICE_TRUSTED_PROXIES: "203.0.113.0/24" });
  for (const part of [config, config.listen, config.trustedProxies, config.apiRate, config.signinRate]) {
    expect(Object.isFrozen(part)).toBe(true);
  }
});

test("a bad setting stops the start with a fault that names it", () => {
  try {
    loadConfig({ SERVICE_LISTEN: "everywhere" });
    expect.unreachable();
  } catch (error) {
    expect(isFault(error, "config.invalid") && error.kind).toBe("startup");
    expect(isFault(error) && error.fields).toEqual({ setting: "SERVICE_LISTEN" });
  }
});

test("cookies are secure where the public URL is https, unless told otherwise; only that is warned of", () => {
  const https = { SERVICE_PUBLIC_URL: "https://gate.example" };
  const http = { SERVICE_PUBLIC_URL: "http://127.0.0.1:8088" };
  const found = (environment: Record<string, string>) => {
    const config = loadConfig(environment);
    return [config.secureCookies, warningsOf(config).length];
  };
  for (const unset of [{}, { SERVICE_SECURE_COOKIES: "" }]) {
    expect(found({ ...https, ...unset })).toEqual([true, 0]);
    expect(found({ ...http, ...unset })).toEqual([false, 0]);
    expect(found(unset)).toEqual([false, 0]);
  }
  expect(found({ ...https, SERVICE_SECURE_COOKIES: "0" })).toEqual([false, 1]);
  expect(found({ ...http, SERVICE_SECURE_COOKIES: "0" })).toEqual([false, 0]);
  for (const url of [https, http, {}]) expect(found({ ...url, SERVICE_SECURE_COOKIES: "1" })).toEqual([true, 0]);
});
