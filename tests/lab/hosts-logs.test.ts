import type { HostLogLine } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { untilSays } from "./agent-on-host.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import type { Front } from "./front.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { emptySmallDisk, fillSmallDisk, moveToSmallDisk } from "./small-disk.ts";

/** Lines of real logs, from a file and from the journal of a service, over whatever happens to either side. */
let lab: Lab<"alpha"> | undefined;
let front: Front;
let desk: FleetDesk;
let alpha: ManagedHost;
let node: string;

const file = "/var/log/lab/app.log";
const service = "lab-echo.service";
/** A small budget, so that a flood is soon one. */
const settings = { SERVICE_HOST_LOGS_LINES_PER_SECOND: "50", SERVICE_HOST_LOGS_BEHIND_SECONDS: "5" };

beforeAll(async () => {
  lab = await openLab(["alpha"], { ...fleetSettings, ...settings });
  ({ front } = lab);
  ({ alpha } = lab.hosts);
  desk = new FleetDesk(front);
  await alpha.shell(await desk.line());
  node = (await desk.online(alpha)).id;
  await alpha.write(file, "from before root said so\n");
  await alpha.write(
    `/etc/systemd/system/${service}`,
    `[Service]\nType=oneshot\nExecStart=/bin/sh -c 'while read -r line; do echo "$line"; done < /run/lab-lines'\n`,
  );
  await alpha.shell(`systemctl daemon-reload; gatehouse-agent ceiling set monitor --logs ${file} --logs ${service}`);
});
afterAll(() => lab?.close());

/** What the server has of a source, oldest first. */
async function linesOf(source: string): Promise<readonly HostLogLine[]> {
  const found: HostLogLine[] = [];
  for (let cursor = ""; ; ) {
    const query = `node=${node}&source=${encodeURIComponent(source)}&limit=500${cursor}`;
    const { json } = await desk.owner.send("GET", `/api/logs?${query}`);
    found.push(...(json["items"] as HostLogLine[]));
    const next = json["nextCursor"] as string | null;
    if (next === null) return found.toReversed();
    cursor = `&cursor=${next}`;
  }
}

const textsOf = async (source: string) =>
  (await linesOf(source)).filter(({ dropped }) => dropped === null).map(({ text }) => text);

const append = (from: number, to: number) => alpha.shell(`seq -f 'line %g' ${from} ${to} >> ${file}`);
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`);

async function untilArrived(source: string, last: string): Promise<readonly string[]> {
  let texts: readonly string[] = [];
  await until(
    `${source} is with the server up to ${JSON.stringify(last)}`,
    async () => {
      texts = await textsOf(source);
      return texts.at(-1) === last;
    },
    500,
  );
  return texts;
}

/** The agent has looked at the new ceiling and stands at the end of the file: a line that is written now arrives. */
async function untilFollowed(): Promise<void> {
  let n = 0;
  await until(
    "a line of the file has arrived",
    async () => {
      if ((await textsOf(file)).length > 0) return true;
      n += 1;
      await alpha.shell(`echo 'probe ${n}' >> ${file}`);
      return false;
    },
    1_000,
  );
}

test("lines of a file and of a service arrive in order from when root let them, and none of before", async () => {
  await untilFollowed();
  await append(1, 30);
  const texts = await untilArrived(file, "line 30");
  expect(texts).not.toContain("from before root said so");
  expect(texts.slice(-30)).toEqual(numbered(1, 30));
  await alpha.shell(`seq -f 'said %g' 1 20 > /run/lab-lines; systemctl start ${service}`);
  const isSaid = (text: string) => text.startsWith("said ");
  // Systemd says something of the service as well, before and behind it.
  const all = await seen(
    () => textsOf(service),
    (texts) => texts.filter(isSaid).length >= 20,
  );
  expect(all.filter(isSaid)).toEqual(Array.from({ length: 20 }, (_, n) => `said ${n + 1}`));
  const [one] = (await linesOf(service)).filter(({ text }) => text === "said 1");
  expect(one).toMatchObject({ level: "info", source: service });
});

test("what a terminal would obey is shown by signs", async () => {
  await alpha.shell(`printf 'red \\033[31mtext\\033[0m \\033]52;c;AAAA\\007end\\n' >> ${file}`);
  const texts = await seen(
    () => textsOf(file),
    (all) => all.some((text) => text.startsWith("red ")),
  );
  const [red = ""] = texts.filter((text) => text.startsWith("red "));
  expect(red).not.toMatch(/\p{Cc}/u);
  expect(red).toContain("␛[31mtext");
});

async function seen<Value>(read: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  let value: Value | undefined;
  await until(
    "the server says so",
    async () => {
      value = await read();
      return isSo(value);
    },
    500,
  );
  return value as Value;
}

test("each line arrives once over rotation, a killed server, a cut connection, a restarted agent and a power cut", async () => {
  const rotate = (kind: "renamed" | "emptied") =>
    alpha.shell(kind === "renamed" ? `mv ${file} ${file}.1 && : > ${file}` : `cp ${file} ${file}.2 && : > ${file}`);
  await append(101, 120);
  await rotate("renamed");
  await append(121, 140);
  await untilArrived(file, "line 140");
  await rotate("emptied");
  await append(141, 160);
  await untilArrived(file, "line 160");
  await front.restartServer("SIGKILL");
  await append(161, 180);
  await alpha.cut("both");
  await append(181, 200);
  await rotate("renamed");
  await append(201, 220);
  await alpha.mend();
  await alpha.shell("systemctl restart gatehouse-agent.service");
  await append(221, 240);
  await untilArrived(file, "line 240");
  await append(241, 260);
  await alpha.cutPower();
  await desk.online(alpha);
  const texts = await untilArrived(file, "line 260");
  expect(texts.filter(isNumbered)).toEqual(numbered(101, 260));
});

/** With three digits. */
const isNumbered = (text: string) => /^line [12]\d\d$/.test(text);

test("of a file whose last lines a disk has forgotten nothing is sent again, and something is told as lost", async () => {
  const notesOf = async () => (await linesOf(file)).filter(({ dropped }) => dropped !== null).length;
  const before = await notesOf();
  const agent = "gatehouse-agent.service";
  // No disk of this lab forgets anything at a power cut: what it would is taken away, in the middle of a line.
  await alpha.shell(`systemctl stop ${agent}; truncate -s -25 ${file}; systemctl start ${agent}`);
  await seen(notesOf, (notes) => notes > before);
  await append(261, 280);
  const texts = await untilArrived(file, "line 280");
  // The first one stands behind what is left of another.
  expect(texts.filter(isNumbered)).toEqual([...numbered(101, 260), ...numbered(262, 280)]);
  expect(texts).not.toContain("from before root said so");
});

test("a flood is cut to the budget, all that is left out is counted, and the log goes on behind it", async () => {
  const before = await linesOf(file);
  await append(10_001, 14_000);
  const noted = await seen(
    () => linesOf(file),
    (all) => all.slice(before.length).some(({ dropped }) => dropped !== null),
  );
  await append(20_001, 20_010);
  await untilArrived(file, "line 20010");
  const all = (await linesOf(file)).slice(before.length);
  const sent = all.filter(({ dropped, text }) => dropped === null && text.startsWith("line 1"));
  const left = all.reduce((sum, { dropped }) => sum + (dropped?.lines ?? 0), 0);
  expect(noted.length).toBeGreaterThan(before.length);
  expect(left).toBeGreaterThan(0);
  expect(sent.length + left).toBe(4_000);
  expect(all.at(-1)?.text).toBe("line 20010");
});

test("a host whose disk is full goes on sending what is written", async () => {
  await moveToSmallDisk(alpha);
  await fillSmallDisk(alpha);
  await desk.online(alpha);
  await untilSays(alpha, /outbox\.unwritable/);
  try {
    // The power cut has taken what was in /run.
    await alpha.shell(`echo 'in a full house' > /run/lab-lines`);
    const before = (await textsOf(service)).length;
    await alpha.shell(`systemctl start ${service}`);
    await seen(
      () => textsOf(service),
      (all) => all.length > before,
    );
  } finally {
    await emptySmallDisk(alpha);
  }
});

test("what root takes from the list is not read any more", async () => {
  await alpha.shell(`gatehouse-agent ceiling set monitor --logs ${service}`);
  await alpha.shell(`seq -f 'late %g' 1 5 > /run/lab-lines`);
  await alpha.shell(`echo 'nobody may read this' >> ${file}; systemctl start ${service}`);
  await seen(
    () => textsOf(service),
    (all) => all.includes("late 5"),
  );
  expect(await textsOf(file)).not.toContain("nobody may read this");
});
