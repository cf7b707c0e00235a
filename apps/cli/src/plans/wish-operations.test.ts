import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { nameOperations, readOperations } from "./wish-operations.ts";

const restart = (unit: string): Operation => ({ kind: "service.restart", unit });

test("a plan without a title is called after what it does", () => {
  expect(nameOperations([restart("nginx.service")])).toEqual({
    title: "Restart nginx.service",
    summary: "Restart nginx.service.",
  });
  expect(nameOperations([restart("nginx.service"), restart("ssh.service")])).toEqual({
    title: "Restart nginx.service, restart ssh.service",
    summary: "Restart nginx.service. Restart ssh.service.",
  });
});

test("a title and a summary are never longer than a plan takes", () => {
  const many = Array.from({ length: 64 }, (_, index) => restart(`number-${index}-${"x".repeat(80)}.service`));
  const { title, summary } = nameOperations(many);
  expect(title).toMatch(/^Restart number-0-x+\.service and 63 more$/);
  expect(title.length).toBeLessThanOrEqual(120);
  expect(summary).toHaveLength(500);
  expect(nameOperations([restart(`${"x".repeat(120)}.service`)]).title).toHaveLength(120);
});

const wish = {
  restart: ["nginx.service"],
  write: [],
  replace: [],
  updateAgent: undefined,
  mode: undefined,
  owner: undefined,
  group: undefined,
};

test("logs are read last, each a path or a unit, as many lines as wanted", async () => {
  const readLog = ["/var/log/nginx/error.log", "nginx.service"];
  const operations = await readOperations({ ...wish, readLog, lines: "20" }, "plan create");
  expect(operations).toEqual([
    restart("nginx.service"),
    { kind: "log.tail", source: { from: "file", path: "/var/log/nginx/error.log" }, lines: 20 },
    { kind: "log.tail", source: { from: "journal", unit: "nginx.service" }, lines: 20 },
  ]);
  expect(nameOperations(operations as Operation[]).title).toBe(
    "Restart nginx.service, read /var/log/nginx/error.log, read nginx.service",
  );
  const [, unsaid] = await readOperations({ ...wish, readLog: ["a.service"], lines: undefined }, "plan create");
  expect(unsaid).toMatchObject({ kind: "log.tail", lines: 50 });
});

test("programs are replaced before services are restarted; which artifact is meant is left open", async () => {
  const replace = ["/usr/local/bin/tool=tool@1.2.3", "/opt/a=b=5d7skrbj"];
  const more = { replace, readLog: ["/var/log/tool.log"], lines: undefined };
  expect(await readOperations({ ...wish, ...more }, "plan create")).toEqual([
    { path: "/usr/local/bin/tool", artifact: "tool@1.2.3" },
    { path: "/opt/a", artifact: "b=5d7skrbj" },
    restart("nginx.service"),
    expect.objectContaining({ kind: "log.tail" }),
  ]);
});

test("an update of the agent is alone; which release is meant is left open", async () => {
  const more = { updateAgent: "gatehouse-agent@1.2.0", restart: [], readLog: [], lines: undefined };
  expect(await readOperations({ ...wish, ...more }, "plan create")).toEqual([{ release: "gatehouse-agent@1.2.0" }]);
});

test.each([
  ["/usr/local/bin/tool", /--replace takes PATH=ARTIFACT/],
  ["/usr/local/bin/tool=", /--replace takes PATH=ARTIFACT/],
  ["=tool", /--replace takes PATH=ARTIFACT/],
  ["bin/tool=tool", /path must/],
  ["/usr/../bin/tool=tool", /path must/],
])("a program %s is refused before anybody is asked", async (pair, why) => {
  const more = { replace: [pair], readLog: [], lines: undefined };
  await expect(readOperations({ ...wish, ...more }, "plan create")).rejects.toThrowError(why);
});

test.each([
  ["nginx", undefined, /source\.unit/],
  ["/var/log/../lib", undefined, /source\.path/],
  ["nginx.service", "0", /--lines must be/],
  ["nginx.service", "10001", /--lines must be/],
])("a log %s with %s lines is refused before any host is asked", async (log, lines, why) => {
  await expect(readOperations({ ...wish, readLog: [log], lines }, "plan create")).rejects.toThrowError(why);
});
