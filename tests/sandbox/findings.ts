import { allowedLateMs, lateGoalMs } from "./late-goal.ts";
import type { Figures, PlaceReport, StormFigures } from "./place-report.ts";
import type { Place } from "./places.ts";

export interface PlaceResult {
  readonly place: Place;
  readonly level: string;
  readonly uid: number | undefined;
  readonly found: ReadonlyMap<string, { readonly escaped: boolean; readonly detail: string }>;
  /** Ways out that are open on this host without a sandbox; undefined where that was not tried. */
  readonly open: ReadonlyMap<string, boolean>;
  readonly checks: readonly Check[];
  readonly figures: Figures | undefined;
  readonly storms: StormFigures | undefined;
}

export interface Check {
  readonly name: string;
  readonly why: string | undefined;
}

export function readResult(place: Place, reports: readonly PlaceReport[], failure: string | undefined): PlaceResult {
  const found = new Map<string, { escaped: boolean; detail: string }>();
  const open = new Map<string, boolean>();
  const checks: Check[] = [{ name: "the place ran to its end", why: failure }];
  let figures: Figures | undefined;
  let storms: StormFigures | undefined;
  let level = "none";
  let uid: number | undefined;
  for (const report of reports) {
    switch (report.kind) {
      case "level":
        ({ level, uid } = report);
        break;
      case "probe":
        found.set(report.name, report);
        break;
      case "outside":
        open.set(report.name, report.works);
        break;
      case "check":
        checks.push(report);
        break;
      case "figures":
        ({ figures } = report);
        break;
      case "storms":
        ({ storms } = report);
        break;
    }
  }
  return { place, level, uid, found, open, checks, figures, storms };
}

/** A row for every way out, a column for every place: what the kernel answered. The last column is without a sandbox. */
export function printTable(results: readonly PlaceResult[], probes: readonly string[]): void {
  const width = 22;
  const cell = (text: string) => text.slice(0, width).padEnd(width + 2);
  console.log(
    `\n${cell("way out")}${results.map(({ place, level }) => cell(`${place.name} (${level})`)).join("")}without a sandbox`,
  );
  for (const name of probes) {
    const cells = results.map(({ found }) => {
      const probe = found.get(name);
      if (probe === undefined) return cell("NOT TRIED");
      return cell(probe.escaped ? `ESCAPED ${probe.detail}` : `denied, ${probe.detail}`);
    });
    const tried = results.flatMap(({ open }) => open.get(name) ?? []);
    console.log(`${cell(name)}${cells.join("")}${tried.length === 0 ? "" : tried.some(Boolean) ? "open" : "closed"}`);
  }
  for (const { place, found } of results)
    for (const [name, { escaped, detail }] of found)
      if (escaped) console.log(`ESCAPED ${place.name} ${name}: ${detail}`);
  const outside = new Set(results.flatMap(({ open }) => [...open].flatMap(([name, works]) => (works ? [name] : []))));
  const compared = new Set(results.flatMap(({ open }) => [...open.keys()]));
  if (compared.size > 0)
    console.log(
      `${outside.size} of ${compared.size} ways out are open to the same user without a sandbox; the host itself closes the others`,
    );
  console.log("");
}

export function printFigures({ place, level, uid, figures, storms }: PlaceResult): void {
  if (figures === undefined || figures.runs === 0) return;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    `${place.name}: ${level} as user ${uid}; ${figures.runs} hostile runs in ${figures.seconds.toFixed(0)} s; ` +
      `${figures.deadlines} ended by their deadline, all gone p50 ${ms(figures.lateP50)}, p99 ${ms(figures.lateP99)}, worst ${ms(figures.lateMax)} after it ` +
      `(${figures.slowest.map(([behaviour, late]) => `${behaviour} ${ms(late)}`).join(", ")}; ` +
      `a bare process at the same time: p50 ${ms(figures.bareP50)}, p99 ${ms(figures.bareP99)}); start to end of a plugin that only answers p50 ${ms(figures.launchP50)}, ` +
      `p99 ${ms(figures.launchP99)}; most memory ${Math.round(figures.memoryShare * 100)} % of the limit`,
  );
  if (figures.before !== null)
    console.log(`${place.name}: run again with the next seed, because the first time p99 was ${ms(figures.before)}`);
  if (storms === undefined) return;
  console.log(
    `${place.name}: ${storms.runs} crowds that wake each other, two actions at once: the server stood still at most ${ms(storms.stall.ms)} ` +
      `(${storms.stall.name}), all gone at most ${ms(storms.late.ms)} after the deadline (${storms.late.name})`,
  );
}

export function checkFigures(result: PlaceResult, probes: readonly string[]): Check[] {
  const { place, found, figures } = result;
  const escaped = [...found].filter(([, probe]) => probe.escaped).map(([name]) => name);
  const missing = probes.filter((name) => !found.has(name));
  const checks: Check[] = [
    ...result.checks,
    { name: `no plugin gets out in ${probes.length} ways`, why: escaped.length === 0 ? undefined : escaped.join(", ") },
    {
      name: "every way out was tried",
      why: missing.length === 0 ? undefined : `${missing.length} were not: ${missing.slice(0, 5).join(", ")}`,
    },
  ];
  if (place.share > 0) checks.push(...hostileChecks(figures), ...stormChecks(result.storms));
  return checks.map(({ name, why }) => ({ name: `${place.name}: ${name}`, why }));
}

/** Without care it is half a minute. What is left, usually a third of a second, is how the kernel shares out two processors. */
const stormGoalMs = 5_000;

function stormChecks(storms: StormFigures | undefined): Check[] {
  if (storms === undefined) return [{ name: "crowds that wake each other", why: "there were none" }];
  const { late, stall, surprises } = storms;
  const within = (what: string, { name, ms }: StormFigures["late"]): Check => ({
    name: `${what} within ${stormGoalMs} ms of a crowd that wakes itself`,
    why: ms <= stormGoalMs ? undefined : `${name} took ${ms.toFixed(0)} ms`,
  });
  return [
    within("the server goes on", stall),
    within("everything is gone", late),
    { name: "every crowd ended as its limit says", why: surprises.length === 0 ? undefined : surprises.join(" | ") },
  ];
}

function hostileChecks(figures: Figures | undefined): Check[] {
  if (figures === undefined || figures.runs === 0) return [{ name: "hostile runs", why: "there were none" }];
  const zero = (name: string, count: number): Check => ({ name, why: count === 0 ? undefined : `there were ${count}` });
  const allowed = allowedLateMs(figures.bareP99);
  const busy =
    allowed === lateGoalMs
      ? ""
      : ` (${lateGoalMs} ms on a quiet machine; here a bare process needs ${figures.bareP99.toFixed(0)} ms)`;
  const tried = figures.before === null ? "" : `, and ${figures.before.toFixed(0)} ms the first time`;
  return [
    zero("no process outlives its action", figures.survivors),
    zero("no descriptor stays open", figures.leakedDescriptors),
    zero("no file stays behind", figures.leakedFiles),
    {
      name: `everything is gone within ${Math.round(allowed)} ms of the deadline at p99${busy}`,
      why: figures.lateP99 <= allowed ? undefined : `it took ${figures.lateP99.toFixed(0)} ms${tried}`,
    },
  ];
}
