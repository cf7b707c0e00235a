import { firstTrust, parseTrust } from "@gatehouse/approval/verify";
import { operationKinds } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { readApprovers } from "../trust/approvers.ts";
import {
  acceptsOf,
  type Ceiling,
  ceilingDigest,
  ceilingText,
  defaultCeiling,
  keepOf,
  parseCeiling,
  usualKeep,
} from "./ceiling.ts";
import { allowsReading } from "./allows-reading.ts";
import { parseCeilingEntry, writeCeilingEntry } from "./ceiling-entry.ts";
import { ceilingReport } from "./ceiling-report.ts";
import { acceptsWords, describeCeiling, entriesOf, warningsOf, whatIsTold } from "./describe-ceiling.ts";
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
  "agent.update=acme",
  "binary.replace:/opt/tool=",
  "binary.replace:/opt/tool=Acme",
  "binary.replace:/opt/tool=acme=other",
  "binary.replace:=acme",
  "binary.replace=acme",
  "file.write:/etc/nginx=acme",
  "service.restart:app.service=acme",
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
  "file.write:/etc/systemd/system/service.d",
  "file.write:/etc/systemd/system/service.d/x.conf",
  "file.write:/usr/lib/systemd/system/service.d/x.conf",
  "file.write:/lib/systemd/system/socket.d/x.conf",
  "file.write:/usr/local/lib/systemd/system/socket.d",
  "file.write:/etc/systemd/system.attached/service.d/x.conf",
  "file.write:/etc/systemd/system.control",
  "file.write:/etc/systemd/system.control/nginx.service.d/x.conf",
  "file.write:/usr/lib/systemd/system.control/x.service",
  "binary.replace:/etc/systemd/system/service.d/x.conf",
  "file.write:/usr/lib/gatehouse/x",
  "file.write:/lib/gatehouse/x",
  "binary.replace:/usr/bin/gatehouse-agent",
  "binary.replace:/bin/gatehouse-agent",
  "binary.replace:/usr/lib/gatehouse=acme",
  "file.write:/var/lib/gatehouse/used",
  "file.write:/var/lib/private/gatehouse-agent/x",
  "service.restart:gatehouse-helper.service",
  "file.write:/etc/systemd/system/multi-user.target.wants/gatehouse-helper.service",
  "file.write:/etc/systemd/system/multi-user.target.requires/gatehouse-helper.service",
  "file.write:/etc/systemd/system/multi-user.target.upholds/gatehouse-helper.service",
  "service.restart:dbus.service",
  "service.restart:dbus-org.freedesktop.login1.service",
  "service.restart:systemd-journald.service",
])("%s is protected, in every file of every ceiling", (entry) => {
  expect(() => parse(managed(entry))).toThrowError(/protected/);
});

test("a name that only begins like a protected one is not protected", () => {
  const entries = [
    "/etc/gatehouse-notes",
    "/runner/x",
    "/etc/systemd/system/nginx.service.d/x.conf",
    "/etc/systemd/system/service.data",
    "/etc/systemd/system.controls",
    "/srv/systemd/system/service.d",
  ];
  expect(parse(managed(...entries.map((path) => `file.write:${path}`)))).toBeDefined();
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

test("the words name every operation, and this version does them all", () => {
  const entries = [
    "file.write:/etc/nginx",
    "binary.replace:/opt/a/tool",
    "firewall.apply:gatehouse_a",
    "network.wireguard:wg0",
    "service.restart:a.service",
    "agent.update",
  ];
  const words = describeCeiling(managed(...entries)).join("\n");
  const parts = ["write /etc/nginx", "/opt/a/tool", "gatehouse_a", "wg0", "restart a.service", "this agent"];
  for (const part of [...parts, whatIsTold]) expect(words).toContain(part);
  expect(words).not.toContain("not in this version");
  expect(words).toMatch(/this agent by a signed release$/m);
  expect(describeCeiling(defaultCeiling)[0]).toBe("monitor: nothing may be changed on this host.");
});

test.each(["signed", "server", "none"] as const)("a host that accepts %s says whose word counts", (accepts) => {
  const base = { schema: 1 as const, level: "managed" as const, allow: ["agent.update"] };
  const ceiling: Ceiling = accepts === "none" ? base : { ...base, accepts };
  expect(parse(ceiling)).toEqual(ceiling);
  expect(acceptsOf(ceiling)).toBe(accepts);
  expect(describeCeiling(ceiling)).toContain(acceptsWords[accepts]);
  const warned = warningsOf(ceiling, []).join();
  if (accepts === "server") expect(warned).toContain("whoever has the server, also by theft, can change everything");
  else expect(warned).toBe("");
});

test("a monitored host takes nobody's word and has no table to keep anything open in", () => {
  expect(acceptsOf(defaultCeiling)).toBe("none");
  expect(keepOf(defaultCeiling)).toEqual([]);
  expect(() => parse({ ...defaultCeiling, accepts: "signed" })).toThrowError(/ceiling\.malformed.*\/accepts/);
});

test("what has to stay open is SSH from everywhere, unless root said something else", () => {
  const open = (keep?: readonly string[]) => {
    const ceiling = parse({ ...managed("agent.update"), ...(keep === undefined ? {} : { keep }) });
    return { kept: keepOf(ceiling), words: describeCeiling(ceiling).join("\n") };
  };
  expect(open().kept).toEqual(usualKeep);
  expect(open().words).toContain("has to leave open: tcp/22:0.0.0.0/0, tcp/22:::/0.");
  expect(open(["udp/51820:192.0.2.0/24"]).words).toContain("has to leave open: udp/51820:192.0.2.0/24.");
  expect(open([]).words).toContain("may close everything, SSH too");
  for (const wrong of ["tcp/22", "tcp/0:::/0", "22:0.0.0.0/0", "tcp/22:192.0.2.1/24"]) {
    expect(() => open([wrong]), wrong).toThrowError(/ceiling\.malformed.*\/keep\/0/);
  }
  expect(() => open(["tcp/22:::/0", "tcp/22:::/0"])).toThrowError(/must not name one twice/);
});

test("a report has the approvers of a host that asks them, and says of others that a trust file decides nothing", () => {
  const bytes = firstTrust(readApprovers([makeApproverKey(1, "ada").line]));
  const trust = { t: "sound", bytes, trust: parseTrust(bytes) } as const;
  const base = { schema: 1 as const, level: "managed" as const, allow: ["agent.update"] };
  const signed = ceilingReport({ ceiling: { ...base, accepts: "signed" }, opened: [], trust }, ["The ceiling is set."]);
  expect(signed.lines[0]).toBe("The ceiling is set.");
  expect(signed.lines.join()).toContain(makeApproverKey(1).fingerprint);
  expect(signed.json).toMatchObject({ accepts: "signed", keep: usualKeep, trust: { epoch: 1 }, appliesChanges: false });
  expect(ceilingReport({ ceiling: base, opened: [], trust }, []).lines.join()).toContain("decides nothing");
  const none = ceilingReport({ ceiling: defaultCeiling, opened: [], trust: { t: "none" } }, []);
  expect(none.lines.join()).not.toContain("trust file");
  expect(none.json).toMatchObject({ accepts: "none", keep: [], trust: null });
});

test("what may be read and typed from afar is told", () => {
  const besides = { read: { logs: ["/var/log/syslog"] } };
  const terminal = { user: "ada", modes: ["e2e", "relay"] as const, graceSeconds: 1, sessions: 1 };
  const words = describeCeiling(parse({ ...defaultCeiling, ...besides, terminal })).join("\n");
  expect(words).toContain("may be read from afar: /var/log/syslog. Lines that a plan reads leave this host");
  expect(words).toContain("as the user ada, also through the server");
  const own = { ...terminal, modes: ["e2e"] as const };
  expect(describeCeiling(parse({ ...defaultCeiling, read: { logs: [] }, terminal: own })).join("\n")).toContain(
    "as the user ada.",
  );
});

test("that lines leave the host is told, with what a stolen server could have of them", () => {
  const words = (ceiling: Ceiling) => describeCeiling(ceiling).join("\n");
  expect(words(defaultCeiling)).toContain("No log of this host is sent to its server.");
  const sending = parse({ ...defaultCeiling, send: { logs: ["/var/log/syslog", "nginx.service"] } });
  expect(words(sending)).toMatch(
    /leave this host as they are written, and its server keeps them: \/var\/log\/syslog, nginx\.service\./,
  );
  expect(words(sending)).toContain("also by theft, could have them from their beginning");
  expect(() => parse({ ...defaultCeiling, send: { logs: [] } }), "an empty list is no list").toThrow(
    /ceiling\.malformed/,
  );
  expect(() => parse({ ...defaultCeiling, send: { logs: ["a.service", "a.service"] } })).toThrow(
    /must not name one twice/,
  );
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

test("a directory right below the root stands for itself, whether it is there or not", () => {
  expect(writableDirectories(managed("file.write:/srv"), () => false)).toEqual(["/srv"]);
});

test("a path of programs may name the only publishers they come from, and not everybody besides", () => {
  const ceiling = managed(
    "binary.replace:/opt/tool=acme",
    "binary.replace:/opt/tool=other",
    "binary.replace:/srv/tool",
  );
  expect(parse(ceiling)).toEqual(ceiling);
  const words = describeCeiling(ceiling);
  expect(words).toContainEqual(expect.stringMatching(/\/opt\/tool, .* signed: acme, and no other/));
  expect(words).toContainEqual(expect.stringMatching(/\/opt\/tool, .* signed: other, and no other/));
  expect(words).toContainEqual(expect.stringMatching(/\/srv\/tool, .* signed(?!:)/));
  const unclear = managed("binary.replace:/opt/tool=acme", "binary.replace:/opt/tool");
  expect(() => parse(unclear)).toThrowError(/ceiling\.malformed.*both with a publisher and without/);
  expect(entriesOf(ceiling)[0]).toEqual({ kind: "binary.replace", target: "/opt/tool", publisher: "acme" });
});

test("the kernel keeps the path of an entry, whoever it names as publisher", () => {
  expect(writableDirectories(managed("binary.replace:/opt/a/tool=acme"), () => false)).toEqual(["/opt/a"]);
});

test("an entry is written as it was read", () => {
  for (const text of ["file.write:/etc/nginx", "agent.update", "binary.replace:/opt/tool=acme"]) {
    const entry = parseCeilingEntry(text);
    expect("wrong" in entry ? entry.wrong : writeCeilingEntry(entry)).toBe(text);
  }
});

test("what may be read is what may be changed, and never what is protected", () => {
  const ceiling = managed("file.write:/etc", "firewall.apply:gatehouse_a");
  expect(allowsReading(ceiling, "file.write", "/etc/motd")).toBe(true);
  expect(allowsReading(ceiling, "file.write", "/etc/gatehouse/ceiling.json")).toBe(false);
  expect(allowsReading(ceiling, "firewall.apply", "gatehouse_a")).toBe(true);
  expect(allowsReading(ceiling, "firewall.apply", "gatehouse_b")).toBe(false);
  expect(allowsReading(defaultCeiling, "file.write", "/etc/motd")).toBe(false);
});

test("what is too long is no ceiling, and one that a version did not write names nothing that is no entry", () => {
  expect(() => parseCeiling(new Uint8Array(256 * 1_024 + 1))).toThrowError(/ceiling\.malformed.*at most/);
  expect(entriesOf(managed("shell.run:/bin/sh", "agent.update"))).toEqual([{ kind: "agent.update", target: "" }]);
});
