import { expect, test } from "vitest";
import { isFault } from "../faults.ts";
import { type Environment, readSetting, readSettings } from "./read-settings.ts";

/** The line with which the environment is refused, or "accepted". */
function refusal(environment: Environment): string {
  return refusalOf(() => readSettings(environment));
}

function refusalOf(read: () => unknown): string {
  try {
    read();
    return "accepted";
  } catch (error) {
    if (isFault(error, "config.invalid")) return error.detail;
    throw error;
  }
}

test("an empty environment gives the defaults of the table", () => {
  expect(readSettings({ PATH: "/bin" })).toEqual({
    SERVICE_LISTEN: { host: "127.0.0.1", port: 8088 },
    SERVICE_DATA_DIR: "./data",
    SERVICE_TRUST_PROXY: false,
    SERVICE_TRUSTED_PROXIES: [],
    SERVICE_API_RATE: { perSecond: 30, burst: 60 },
    SERVICE_SIGNIN_RATE: 5,
    SERVICE_LOG_FORMAT: "text",
    SERVICE_ACCESS_LOG: false,
    SERVICE_SLOW_REQUEST_MS: 1000,
    SERVICE_METRICS_RETENTION_DAYS: 30,
    SERVICE_HOST_LOGS_RETENTION_DAYS: 14,
    SERVICE_HOST_LOGS_MAX_GIB: 5,
    SERVICE_HOST_LOGS_LINES_PER_SECOND: 200,
    SERVICE_HOST_LOGS_BEHIND_SECONDS: 300,
    SERVICE_CSP_SCRIPT_SRC: [],
    SERVICE_CSP_CONNECT_SRC: [],
    SERVICE_GEOIP_LOOKUP_URL: "https://ipwho.is/{ip}",
    SERVICE_AGENT_BEAT_SECONDS: 10,
    SERVICE_AGENT_WINDOW_SECONDS: 20,
    SERVICE_PLUGIN_DIR: "./bundles",
    SERVICE_PLUGIN_SANDBOX: "landlock",
    SERVICE_PLUGIN_DEADLINE_FACTOR: 1,
  });
});

test("a bad value is refused in one line that says what was expected, found, and what to write", () => {
  expect(refusal({ SERVICE_SLOW_REQUEST_MS: "fast" })).toBe(
    'SERVICE_SLOW_REQUEST_MS: expected whole milliseconds from 1 to 600000, found "fast"; write for example SERVICE_SLOW_REQUEST_MS=1000',
  );
});

test("of several bad values the first in the order of the table is named", () => {
  const environment = { SERVICE_ACESS_LOG: "1", SERVICE_SLOW_REQUEST_MS: "0", SERVICE_LISTEN: "8088" };
  expect(refusal(environment)).toMatch(/^SERVICE_LISTEN: /);
  expect(refusal({ ...environment, SERVICE_LISTEN: "" })).toMatch(/^SERVICE_SLOW_REQUEST_MS: /);
  expect(refusal({ SERVICE_ACESS_LOG: "1" })).toMatch(/^SERVICE_ACESS_LOG: /);
});

test("a misspelt setting is refused with the name that was meant, and without its value", () => {
  expect(refusal({ SERVICE_ADMIN_PASSWROD: "correct horse battery" })).toBe(
    "SERVICE_ADMIN_PASSWROD: there is no such setting; write SERVICE_ADMIN_PASSWORD",
  );
  expect(refusal({ SERVICE_FLUX_CAPACITOR: "1" })).toBe(
    "SERVICE_FLUX_CAPACITOR: there is no such setting; remove it, or see gatehouse-server --help for the settings there are",
  );
});

test("a server started inside a terminal session is not stopped by what the session sets", () => {
  expect(refusal({ SERVICE_TERMINAL_USER: "ines" })).toBe("accepted");
});

test("a setting that only the first start uses is judged there, and stops no other start", () => {
  const environment = { SERVICE_ADMIN_USERNAME: "Admin", SERVICE_ADMIN_PASSWORD: "hunter2\r" };
  expect(readSettings(environment)).toMatchObject(environment);
  expect(refusalOf(() => readSetting("SERVICE_ADMIN_USERNAME", "Admin"))).toBe(
    'SERVICE_ADMIN_USERNAME: expected 1 to 63 of a-z 0-9 . _ -, beginning with a letter or digit, found "Admin"; write for example SERVICE_ADMIN_USERNAME=admin',
  );
  const password = refusalOf(() => readSetting("SERVICE_ADMIN_PASSWORD", "hunter2"));
  expect(password).toMatch(/^SERVICE_ADMIN_PASSWORD: expected 12 to 256 characters, not 7; write /);
  expect(password).not.toContain("hunter2");
  expect(readSettings({ SERVICE_ADMIN_USERNAME: "", SERVICE_ADMIN_PASSWORD: "" })).toMatchObject({
    SERVICE_ADMIN_USERNAME: undefined,
    SERVICE_ADMIN_PASSWORD: undefined,
  });
});

test("secrets never stand in a refusal", () => {
  const bad = {
    SERVICE_METRICS_TOKEN: "short-canary",
    SERVICE_BACKUP_RECIPIENT: "AGE-SECRET-KEY-CANARY",
    SERVICE_GEOIP_LOOKUP_URL: "http://geo.example/{ip}?token=canary",
    SERVICE_PUBLIC_URL: "https://canary:canary@gate.example",
    SERVICE_CSP_SCRIPT_SRC: "https://canary@beacon.example",
  };
  for (const [name, value] of Object.entries(bad)) {
    const line = refusal({ [name]: value });
    expect(line).toMatch(new RegExp(`^${name}: expected `));
    expect(line).not.toMatch(/canary/i);
  }
});

test("a refusal is one line whatever the value holds", () => {
  for (const name of ["SERVICE_LISTEN", "SERVICE_PLUGIN_TRUST", "SERVICE_TRUSTED_PROXIES", "SERVICE_API\nRATE"]) {
    const line = refusal({ [name]: "{\n\r\u2028\u0000\u001b[31m\u0085" });
    expect(line).not.toBe("accepted");
    expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
  }
});

test("a value from a file with Windows line ends is refused by name", () => {
  expect(refusal({ SERVICE_DATA_DIR: "/data\r" })).toContain("Windows line ends");
});

test("a very long value is shown in part", () => {
  expect(refusal({ SERVICE_LISTEN: "x".repeat(100_000) }).length).toBeLessThan(400);
});

test("`true` does not silently mean off, and `false` is not told to write 1", () => {
  expect(refusal({ SERVICE_TRUST_PROXY: "true" })).toContain("; write SERVICE_TRUST_PROXY=1");
  expect(refusal({ SERVICE_TRUST_PROXY: "false" })).toContain("; write SERVICE_TRUST_PROXY=0");
});
