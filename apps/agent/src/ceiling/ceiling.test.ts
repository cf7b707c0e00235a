import { operationKinds } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { type Ceiling, ceilingDigest, ceilingText, defaultCeiling, parseCeiling } from "./ceiling.ts";
import { describeCeiling, nothingAppliesYet, warningsOf, whatIsTold } from "./describe-ceiling.ts";
import { ceilingDropIn, writableDirectories } from "./drop-in.ts";
import { ceilingKindNames } from "./kinds.ts";

const managed = (...allow: string[]): Ceiling => ({ schema: 1, level: "managed", allow });
const parse = (value: unknown) => parseCeiling(new TextEncoder().encode(JSON.stringify(value)));

test("the kinds are those of the plan format that change a host", () => {
  expect([...ceilingKindNames].sort()).toEqual([...operationKinds].filter((kind) => kind !== "log.tail").sort());
});

test("what is written is read again, and has the same digest however it is laid out", () => {
  const ceiling = managed("file.write:/etc/nginx", "service.restart:nginx.service");
  const read = parseCeiling(new TextEncoder().encode(ceilingText(ceiling)));
  expect(read).toEqual(ceiling);
  expect(ceilingDigest(read)).toBe(
    ceilingDigest(parse({ allow: ceiling.level === "managed" ? ceiling.allow : [], level: "managed", schema: 1 })),
  );
});

test("the digest of a host whose root said nothing is a fixed one", () => {
  expect(ceilingDigest(defaultCeiling)).toBe("09501d1452dfe05232d4479009a269294afacdf2613ad75a6c7b6da574e3f3ee");
});

test.each([
  [{ schema: 2, level: "monitor" }, "/schema"],
  [{ schema: 1, level: "admin" }, "/level"],
  [{ schema: 1, level: "monitor", allow: [] }, "/allow"],
  [{ schema: 1, level: "managed" }, "/allow"],
  [{ schema: 1, level: "managed", allow: [] }, "/allow"],
  [{ schema: 1, level: "managed", allow: ["agent.update", "agent.update"] }, "/allow"],
  [{ schema: 1, level: "managed", allow: ["agent.update"], mode: "server" }, "/mode"],
  [
    { schema: 1, level: "monitor", terminal: { user: "Root!", modes: ["e2e"], graceSeconds: 1, sessions: 1 } },
    "/terminal/user",
  ],
  [{ schema: 1, level: "monitor", read: { logs: ["../x"] } }, "/read/logs/0"],
])("%j is no ceiling", (value, place) => {
  expect(() => parse(value)).toThrowError(
    expect.objectContaining({ code: "ceiling.malformed", detail: expect.stringContaining(place) }),
  );
});

test("a name twice, a comment or a byte behind is no ceiling", () => {
  for (const text of [
    '{"schema":1,"level":"monitor","level":"managed"}',
    '{"schema":1,"level":"monitor"}x',
    "{} // hi",
    "",
  ]) {
    expect(() => parseCeiling(new TextEncoder().encode(text))).toThrowError(/ceiling\.malformed/);
  }
});

test.each([
  "file.write",
  "file.write:",
  "file.write:etc/nginx",
  "file.write:/etc/../root",
  "file.write:/etc/nginx/",
  "file.write:/",
  "file.write:/etc/a b",
  "firewall.apply:filter",
  "service.restart:nginx",
  "service.restart:-x.service",
  "agent.update:",
  "agent.update:x",
  "shell.run:/bin/sh",
  "toString:x",
])("%s is no entry", (entry) => {
  expect(() => parse(managed(entry))).toThrowError(/ceiling\.malformed/);
});

test.each([
  "file.write:/proc/sys/x",
  "file.write:/sys",
  "file.write:/dev/sda",
  "file.write:/run/x",
  "file.write:/var/run/x",
  "file.write:/etc/gatehouse",
  "file.write:/etc/gatehouse/trust.json",
  "file.write:/etc/systemd/system/gatehouse-helper.service.d/x.conf",
  "file.write:/usr/lib/gatehouse/x",
  "file.write:/lib/gatehouse/x",
  "binary.replace:/usr/bin/gatehouse-agent",
  "binary.replace:/bin/gatehouse-agent",
  "file.write:/var/lib/gatehouse/used",
  "file.write:/var/lib/private/gatehouse-agent/x",
  "service.restart:gatehouse-helper.service",
  "service.restart:dbus.service",
  "service.restart:systemd-journald.service",
])("%s is protected, in every file of every ceiling", (entry) => {
  expect(() => parse(managed(entry))).toThrowError(/protected/);
});

test("a name that only begins like a protected one is not protected", () => {
  expect(parse(managed("file.write:/etc/gatehouse-notes", "file.write:/runner/x"))).toBeDefined();
});

test.each([
  "/etc/cron.d",
  "/etc/cron.d/job",
  "/etc",
  "/etc/systemd/system",
  "/etc/sudoers.d/x",
  "/root",
  "/srv/ada/.ssh",
  "/lib/x",
  "/var/spool/cron",
])("writing %s equals root, and is told", (path) => {
  expect(warningsOf(managed(`file.write:${path}`), [path]).join()).toContain("equals root");
});

test("a file whose directory equals root is told, because the kernel opens the directory", () => {
  expect(warningsOf(managed("file.write:/etc/hosts"), ["/etc"]).join()).toContain("leaves all of /etc open");
});

test("writing below a server's own directory does not", () => {
  expect(warningsOf(managed("file.write:/etc/nginx", "file.write:/var/www"), ["/etc/nginx", "/var/www"])).toEqual([]);
});

test("the words name every operation, and that this version applies none", () => {
  const words = describeCeiling(managed("file.write:/etc/nginx", "firewall.apply:gatehouse_a", "agent.update")).join(
    "\n",
  );
  for (const part of ["/etc/nginx", "gatehouse_a", "this agent", whatIsTold, nothingAppliesYet])
    expect(words).toContain(part);
  expect(describeCeiling(defaultCeiling)[0]).toBe("monitor: nothing may be changed on this host.");
});

test("the kernel opens the directories of paths, and nothing for what has none", () => {
  const isDirectory = (path: string) => path === "/etc/nginx";
  const ceiling = managed(
    "file.write:/etc/nginx",
    "file.write:/etc/nginx/conf.d/a.conf",
    "binary.replace:/opt/a/tool",
    "service.restart:a.service",
  );
  expect(writableDirectories(ceiling, isDirectory)).toEqual(["/etc/nginx", "/opt/a"]);
  expect(ceilingDropIn(defaultCeiling, isDirectory)).not.toContain("ReadWritePaths");
});

test("the agent's own directory is open for updates alone", () => {
  expect(ceilingDropIn(managed("agent.update"), () => false)).toContain("ReadWritePaths=-/usr/lib/gatehouse\n");
  expect(ceilingDropIn(managed("file.write:/usr"), () => true)).toContain("ReadOnlyPaths=-/usr/lib/gatehouse\n");
});
