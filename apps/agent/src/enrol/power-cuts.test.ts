import { type Dirent, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manualClock, openTurns } from "@gatehouse/base";
import { nodeVfs, type Vfs } from "@gatehouse/files";
import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { isFault } from "@gatehouse/contract/faults";
import { encodeBase64url, type EnrolRequest } from "@gatehouse/channel";
import { nodeIdOf, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { Random } from "../../../../tests/support/random.ts";
import { startEnrolServer } from "../../test/fake-enrol-server.ts";
import { hastyVfs } from "../../test/hasty-vfs.ts";
import { type HostDirectory, makeHostDirectory } from "../../test/host-directory.ts";
import { recordingVfs } from "../../test/recording-vfs.ts";
import type { HelperDeps } from "../helper/helper-deps.ts";
import { answerVerb } from "../helper/helper-verbs.ts";
import { noChanges } from "../../test/no-changes.ts";
import { openHelperMinutes } from "../helper/sliding-minute.ts";
import { getChannelKey } from "../local/channel-key.ts";
import { findHostIdentity } from "../local/host-key.ts";
import { findPinnedServer } from "../local/server-file.ts";
import { beginEnrolment } from "./begin-enrolment.ts";
import { type ExchangeDeps, exchangeEnrolment } from "./exchange-enrolment.ts";
import { postEnrolment } from "./post-enrolment.ts";

type EnrolServer = Awaited<ReturnType<typeof startEnrolServer>>;
const clock = manualClock();

interface Asked {
  readonly newIdentity?: boolean;
  readonly vfs?: Vfs;
  /** Called before the only packet. */
  readonly sending?: () => void;
}

/** Both halves of an enrolment on one host, without systemd between them. Gives the id when root would be told. */
async function enrol(host: HostDirectory, server: EnrolServer, asked: Asked = {}): Promise<string> {
  const { newIdentity = false, vfs = nodeVfs, sending = () => undefined } = asked;
  const code = server.code({ notAfter: clock.now() });
  const place = { paths: host.paths, owner: host.owner, clock, vfs };
  const helper: HelperDeps = {
    ...place,
    inTurn: openTurns(),
    readCeiling: () => ({ level: "monitor" }),
    readFacts: () => Promise.reject(new Error("nobody asks for facts")),
    readAddresses: () => [],
    readStates: () => Promise.reject(new Error("nobody asks for states")),
    readLogs: () => Promise.reject(new Error("nobody asks for logs")),
    readDrift: () => Promise.reject(new Error("nobody asks for drift")),
    tasks: {
      submit: () => Promise.reject(new Error("nobody submits a change")),
      put: () => Promise.reject(new Error("nobody brings a part")),
    },
    changes: noChanges,
    minutes: openHelperMinutes(clock),
    log: () => undefined,
    lastFacts: {},
  };
  const begun = await beginEnrolment(place, { code, newIdentity });
  const exchange: ExchangeDeps = {
    ...place,
    user: host.owner,
    ask: (verb, fields = {}) => answerVerb(helper, verb, fields),
    post: (to, message) => {
      sending();
      return postEnrolment(to, message);
    },
    pause: () => Promise.reject(new Error("the server answers at once")),
    agentVersion: "0.1.7",
    hostname: "web-1",
  };
  await exchangeEnrolment(exchange, code);
  await begun.finish();
  return begun.nodeId;
}

/** What a host is, by its files; a file that is not whole throws. */
function standing(host: HostDirectory) {
  const identity = findHostIdentity(host);
  const server = findPinnedServer(host);
  return { host: identity?.nodeId, channel: channelOf(host), url: server?.url, pinned: server?.nodeId };
}

function channelOf(host: HostDirectory): string | undefined {
  try {
    return encodeBase64url(publicKeyBytes(getChannelKey({ paths: host.paths, user: host.owner })));
  } catch (error) {
    if (isFault(error, "host.not_enrolled")) return undefined;
    throw error;
  }
}

type Standing = ReturnType<typeof standing>;

const isEnrolled = ({ channel, url }: Standing) => channel !== undefined && url !== undefined;

/** Whether the server would welcome it: that key of a channel is the last that this very host has given it. */
function isWhole(now: Standing, requests: readonly EnrolRequest[]): boolean {
  const given = requests.findLast(({ hostKey }) => nodeIdOf(hostKey) === now.host);
  return isEnrolled(now) && given !== undefined && encodeBase64url(given.channelKey) === now.channel;
}

function memoryOf({ root }: HostDirectory): FaultyVfs {
  const all = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = (isWanted: (each: Dirent) => boolean) =>
    all.filter(isWanted).map((each) => join(each.parentPath, each.name));
  const above: string[] = [];
  for (let at = root; at !== "/"; at = dirname(at)) above.push(at);
  const files = new Map(paths((each) => each.isFile()).map((path) => [path, new Uint8Array(readFileSync(path))]));
  return faultyVfs({ files, directories: [...above, ...paths((each) => each.isDirectory())] });
}

/** A host whose disk holds what is left. */
function hostWith(left: FaultyVfs, { root }: HostDirectory): HostDirectory {
  const host = makeHostDirectory();
  for (const [path, bytes] of left.contents()) {
    const here = path.replace(root, host.root);
    mkdirSync(dirname(here), { recursive: true });
    writeFileSync(here, bytes, { mode: path.includes("server.json") ? 0o644 : 0o600 });
  }
  return host;
}

const cutsOfEach = 2;
const cutsAtTheEnd = 10;

/** Cuts an enrolment after each of its operations. Says what is wrong, and which left a host that the server would not welcome. */
async function cutEverywhere(seed: number, isEarlier: boolean, newIdentity: boolean) {
  const [server, host] = [await startEnrolServer(), makeHostDirectory()];
  if (isEarlier) await enrol(host, server);
  const was = standing(host);
  const memory = memoryOf(host);
  let sentAt = 0;
  const sending = () => void (sentAt = memory.ops);
  const nodeId = await enrol(host, server, { newIdentity, vfs: recordingVfs(memory), sending });
  const became = standing(host);
  const requests = [...server.requests];
  const before = requests.slice(0, -1);
  const found = { cuts: 0, flaws: [] as string[], halves: [] as Standing[], was, became };
  for (let op = 0; op <= memory.ops; op += 1) {
    const isTold = op === memory.ops;
    for (let cut = 0; cut < (isTold ? cutsAtTheEnd : cutsOfEach); cut += 1) {
      found.cuts += 1;
      const need = (isSo: boolean, what: string) => void (isSo || found.flaws.push(`operation ${op}.${cut}: ${what}`));
      const left = hostWith(memory.imageAt(op, new Random(seed, op * cutsAtTheEnd + cut)), host);
      const now = standing(left);
      for (const each of ["host", "channel", "url", "pinned"] as const) {
        need(now[each] === was[each] || now[each] === became[each], `${each} is ${now[each]}`);
      }
      if (isEnrolled(now) && !isWhole(now, op < sentAt ? before : requests)) found.halves.push(now);
      if (isTold) need(JSON.stringify(now) === JSON.stringify(became), "what root was told is not so");
      // With the next code every one of them is whole, and is who it was.
      const next = await enrol(left, server, { vfs: hastyVfs });
      need(next === (now.host ?? next), `it was ${now.host} and became ${next}`);
      if (!isEarlier && op >= sentAt) need(next === nodeId, `the server has met ${nodeId}, and then ${next}`);
      const then = standing(left);
      need(then.pinned === next && then.host === next && isWhole(then, server.requests), "the next one is not whole");
      const rest = [...memoryOf(left).contents().keys()].filter((path) => /\.next$|enrolling\.json$/.test(path));
      need(rest.length === 0, `${rest.join(", ")} stayed`);
    }
  }
  return found;
}

test("no power cut during a first enrolment leaves half an identity, or another one than the server has met", async () => {
  const { flaws, halves, cuts } = await cutEverywhere(21, false, false);
  expect(flaws).toEqual([]);
  expect(halves).toEqual([]);
  expect(cuts).toBeGreaterThan(50);
});

test("one during a second takes nothing before the packet and nothing after the answer is kept; between them the host enrols again", async () => {
  const { flaws, halves, cuts, was } = await cutEverywhere(22, true, false);
  expect(flaws).toEqual([]);
  // The server has the new key of the channel, and the host has not heard so.
  for (const half of halves) expect(half).toEqual(was);
  expect(halves.length).toBeLessThan(cuts / 5);
  expect(cuts).toBeGreaterThan(50);
});

test("one during --new-identity leaves the former node or the new one; between the two keys it enrols again, as the former", async () => {
  const { flaws, halves, cuts, was, became } = await cutEverywhere(23, true, true);
  expect(flaws).toEqual([]);
  // Two parts write down one key each: that of the channel is the new one, that of the host is not yet.
  for (const half of halves) expect(half).toEqual({ ...was, channel: became.channel });
  expect(halves.length).toBeLessThan(cuts / 5);
  expect(cuts).toBeGreaterThan(50);
});
