import { Random } from "../support/random.ts";
import type { ToldLog } from "./log-sender.ts";

export interface InventedLogs {
  readonly seed: number;
  readonly now: number;
  /** How many lines, over how many minutes before now. */
  readonly count: number;
  readonly minutes: number;
  /** How many minutes ago an upstream did not answer, for two minutes. */
  readonly failed?: number;
}

const sources = ["nginx.service", "haproxy.service", "sshd.service", "/var/log/gatehouse-app/application.log"];
const info = 6;

/** What an invented host wrote into its logs, the oldest first: the same for a seed. */
export function inventLog({ seed, now, count, minutes, failed }: InventedLogs): ToldLog {
  const random = new Random(seed);
  const span = minutes * 60_000;
  const times = Array.from({ length: count }, () => now - span + random.next() * span);
  if (failed !== undefined) {
    for (let n = 0; n < count / 10; n += 1) times.push(now - failed * 60_000 + random.next() * 120_000);
  }
  const lines = times
    .map(Math.floor)
    .toSorted((a, b) => a - b)
    .map((at) => {
      const ago = (now - at) / 60_000;
      const isBad = failed !== undefined && ago <= failed && ago > failed - 2 && random.next() < 0.6;
      const [s, level, text] = isBad ? badLine(random) : usualLine(random);
      return { s, at, level, text };
    });
  if (failed === undefined) return { sources, lines };
  const [from, to] = [now - failed * 60_000 + 31_000, now - failed * 60_000 + 58_000];
  return { sources, lines, dropped: [{ s: 0, lines: 4_120, from, to }] };
}

type Line = readonly [source: number, level: number | null, text: string];

function usualLine(random: Random): Line {
  const client = `203.0.113.${random.below(250)}`;
  const path = random.pick(["/v2/session", "/v2/events", "/v2/profile", "/health"]);
  const lines: readonly Line[] = [
    [0, info, `${client} h3 GET ${path} 200 ${random.below(80)} ms`],
    [0, info, `${client} h2 POST ${path} 202 ${random.below(80)} ms`],
    [1, info, `${client}:${40_000 + random.below(9_000)} be_session/s${random.below(3)} 0/0/1/37/38 200 812`],
    [2, info, `Connection closed by ${client} port ${40_000 + random.below(9_000)} [preauth]`],
    [3, null, `{"job":"billing","took_ms":${random.below(900)},"note":"<b>nothing</b> to do"}`],
  ];
  if (random.next() < 0.04)
    return [1, 4, `Health check for be_session slow, ${random.below(900)} ms of 2000 ms timeout`];
  return random.pick(lines);
}

function badLine(random: Random): Line {
  const client = `198.51.100.${random.below(250)}`;
  return random.pick<Line>([
    [
      0,
      3,
      `upstream timed out (110) while connecting to upstream, client ${client}, server edge, upstream 10.80.4.12:8443`,
    ],
    [0, 3, `upstream timed out (110) while reading response header, upstream 10.80.4.12:8443`],
    [1, 3, "Server be_session/s2 is DOWN, reason: Layer4 timeout, check duration: 2001ms"],
    [0, 4, `quic: ␛[31mno reply to path challenge␛[0m from ${client}, timeout 3 s`],
  ]);
}
