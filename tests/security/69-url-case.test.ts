import { isFault } from "@gatehouse/contract";
import { readSettings } from "@gatehouse/contract/settings";
import { expect, test } from "vitest";
import { host, makeWorld } from "./inside/egress.ts";
import { send } from "./support/raw-http.ts";
import { startRefused } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Gotenberg: `http` was forbidden, `HTTP` was not. */
const server = await sharedServer({
  env: {
    SERVICE_PUBLIC_URL: "HTTPS://Console.Example.TEST",
    SERVICE_CSP_SCRIPT_SRC: "HTTPS://Beacon.Example.TEST:443",
    SERVICE_CSP_CONNECT_SRC: "hTTps://COLLECT.example.test:8443",
    SERVICE_GEOIP_LOOKUP_URL: "HTTPS://Geo.Example.TEST/{ip}",
  },
});
const settings = [
  "SERVICE_PUBLIC_URL",
  "SERVICE_CSP_SCRIPT_SRC",
  "SERVICE_CSP_CONNECT_SRC",
  "SERVICE_GEOIP_LOOKUP_URL",
] as const;

/** Addresses that none of the settings may hold; `{ip}` is added where one is wanted. */
const forbidden = joined(
  [
    "http://evil.test",
    "ftp://evil.test",
    "file:///etc/passwd",
    "gopher://evil.test",
    "ws://evil.test",
    "data:text/html,x",
  ],
  [
    "javascript:alert(1)",
    "unix:/run/x.sock",
    "blob:https://evil.test/x",
    "about:blank",
    "//evil.test",
    "jar:https://x.test!/",
  ],
  [
    "https://user:pw@evil.test",
    "https://evil.test:99999",
    "https://",
    "https:///",
    "https://evil.test#x",
    "httpss://evil.test",
  ],
);
const cases: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
  (text) =>
    text
      .split("")
      .map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter))
      .join(""),
  (text) =>
    text
      .split("")
      .map((letter, at) => (at % 2 === 1 ? letter.toUpperCase() : letter))
      .join(""),
  (text) => text.replace("s", "\u017f"), // the long s, whose capital is S
  (text) => text.replace("k", "\u212a"), // the Kelvin sign, whose small letter is k
  (text) => text.replace(":", "\uff1a"),
];

test("a forbidden scheme is refused in every spelling, by every setting that holds an address", (context) => {
  const accepted: string[] = [];
  let values = 0;
  for (const name of settings) {
    for (const address of forbidden) {
      for (const spell of cases) {
        const value = name === "SERVICE_GEOIP_LOOKUP_URL" ? `${spell(address)}/{ip}` : spell(address);
        values += 1;
        if (!isRefused({ [name]: value })) accepted.push(`${name}=${value}`);
      }
    }
  }
  expect(accepted).toEqual(accepted.filter(isHarmless));
  tried(context, `${count(values, "spellings")} in ${count(settings.length, "settings")}`);
});

test("an allowed address means the same in every spelling", () => {
  for (const spell of cases.slice(0, 5)) {
    const url = readSettings({ SERVICE_PUBLIC_URL: spell("https://console.example.test") }).SERVICE_PUBLIC_URL;
    expect(url?.href).toBe("https://console.example.test/");
    const csp = readSettings({ SERVICE_CSP_SCRIPT_SRC: spell("https://beacon.example.test") }).SERVICE_CSP_SCRIPT_SRC;
    expect(csp).toEqual(["https://beacon.example.test"]);
  }
  // A switch is a word, not an address: in capitals it would silently be taken for one.
  for (const word of ["OFF", "Off", "oFF", " off", "0", "false", "none"]) {
    expect(isRefused({ SERVICE_GEOIP_LOOKUP_URL: word }), word).toBe(true);
  }
});

test("the template never leads to a host that the address chooses", (context) => {
  const templates = joined(
    ["https://{ip}/", "https://{ip}.evil.test/", "https://evil.test:{ip}/", "https://{ip}@evil.test/", "https://x{ip}"],
    [
      "https://geo.test/",
      "https://geo.test/#{ip}",
      "{ip}",
      "https:{ip}",
      "https://[{ip}]/",
      "https://u:{ip}@geo.test/",
    ],
  );
  for (const template of templates.flatMap((template) => [template, template.replace("https", "HTTPS")])) {
    expect(isRefused({ SERVICE_GEOIP_LOOKUP_URL: template }), template).toBe(true);
  }
  tried(context, count(templates.length * 2, "templates"));
});

test("the running server speaks of its address in lower case and knows it in every case", async (context) => {
  const { headers } = await send(server.port, { path: "/", headers: [["Host", "console.example.test"]] });
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("script-src 'self' https://beacon.example.test;");
  expect(policy).toContain("connect-src 'self' https://collect.example.test:8443;");
  const hosts = [
    "console.example.test",
    "CONSOLE.EXAMPLE.TEST",
    "Console.example.Test",
    "console.example.test:443",
    "LOCALHOST",
  ];
  for (const host of hosts) {
    expect((await send(server.port, { path: "/api/version", headers: [["Host", host]] })).status, host).toBe(200);
  }
  for (const host of [
    "console.example.test.",
    "console.example.te\u00dft",
    "CONSOLE.EXAMPLE.TEST.evil.test",
    "console.example.test:80",
  ]) {
    expect((await send(server.port, { path: "/api/version", headers: [["Host", host]] })).status, host).toBe(421);
  }
  for (const address of ["HTTP://evil.test", "File:///etc/passwd"]) {
    expect((await startRefused({ SERVICE_PUBLIC_URL: address })).code).toBe(1);
  }
  tried(context, `${count(hosts.length + 4, "Host spellings")} at the running server`);
});

test("a plugin's request is made to the host as it was declared, and to no other spelling of it", async (context) => {
  await using world = await makeWorld(() => ({ a: ["8.8.4.4"], aaaa: [] }));
  const address = `https://${host}/`;
  const spellings = new Set(cases.map((spell) => spell(address)).filter((text) => text !== address));
  for (const letter of new Set("https.api.example")) {
    if (/[a-z]/.test(letter)) spellings.add(address.replace(letter, letter.toUpperCase()));
  }
  for (const url of spellings) expect(["malformed", "host"], url).toContain((await world.ask({ url })).got);
  expect(world.questions).toEqual([]);
  expect((await world.ask({ url: address })).got).toBe(200);
  // A list that is not in lower case declares nothing.
  expect((await world.ask({ url: address, hosts: [host.toUpperCase()] })).got).toBe("host");
  tried(context, `${count(spellings.size, "spellings")} of a plugin's host`);
});

test("the check of a value does see one that is accepted", () => {
  expect(isRefused({ SERVICE_PUBLIC_URL: "https://console.example.test" })).toBe(false);
  expect(isRefused({ SERVICE_PUBLIC_URL: "http://console.example.test" })).toBe(true);
});

function isRefused(environment: Record<string, string>): boolean {
  try {
    readSettings(environment);
    return false;
  } catch (error) {
    if (isFault(error, "config.invalid")) return true;
    throw error;
  }
}

/** `https://evil.test#x/{ip}` and the like do not exist: what is accepted must be https, and to one host. */
function isHarmless(setting: string): boolean {
  const value = setting.slice(setting.indexOf("=") + 1).replaceAll("{ip}", "192.0.2.1");
  const url = URL.parse(value);
  return url?.protocol === "https:" && url.username === "" && url.password === "" && url.hash === "";
}
