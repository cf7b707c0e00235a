import type { Check, Figures, PlaceReport, Spread, StormFigures } from "./place-report.ts";
import type { Place } from "./places.ts";
import { everyBehaviour } from "./planned-run.ts";
import { storms as everyStorm } from "./probe-list.ts";

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

/** What it took. Figures: `npm run bench:sandbox` has goals for them, and no test is decided by one. */
export function printFigures({ place, level, uid, figures, storms }: PlaceResult): void {
  if (figures === undefined) return;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const both = ({ p50, p99 }: Spread) => `p50 ${ms(p50)}, p99 ${ms(p99)}`;
  const slowest = figures.slowest.map(([behaviour, late]) => `${behaviour} ${ms(late)}`).join(", ");
  const bare = figures.bare.p50 === 0 ? "" : `; a bare process at the same time: ${both(figures.bare)}`;
  console.log(
    `${place.name}: ${level} as user ${uid}; ${figures.runs} hostile runs in ${figures.seconds.toFixed(0)} s; ` +
      `${figures.deadlines} ended by their deadline, all gone ${both(figures.late)}, worst ${ms(figures.late.max)} after it ` +
      `(${slowest}${bare}); start to end of a plugin that only answers ${both(figures.launch)}; ` +
      `most memory ${Math.round(figures.memoryShare * 100)} % of the limit`,
  );
  if (storms === undefined) return;
  console.log(
    `${place.name}: ${storms.runs} crowds that wake each other, two actions at once: the server stood still at most ${ms(storms.stall.ms)} ` +
      `(${storms.stall.name}), all gone at most ${ms(storms.late.ms)} after it was due (${storms.late.name})`,
  );
}

export function checkResult(result: PlaceResult, probes: readonly string[]): Check[] {
  const { place, found, figures } = result;
  const escaped = [...found].filter(([, probe]) => probe.escaped).map(([name]) => name);
  const missing = probes.filter((name) => !found.has(name));
  const counts = { ways: found.size };
  const checks: Check[] = [
    ...result.checks,
    { name: "no plugin gets out", why: escaped.length === 0 ? undefined : escaped.join(", "), counts },
    {
      name: "every way out was tried",
      why: missing.length === 0 ? undefined : `${missing.length} were not: ${missing.slice(0, 5).join(", ")}`,
      counts,
    },
  ];
  if (place.isHostile) checks.push(...hostileChecks(figures), ...stormChecks(result.storms));
  return checks.map((check) => ({ ...check, name: `${place.name}: ${check.name}` }));
}

function hostileChecks(figures: Figures | undefined): Check[] {
  const { runs = 0, behaviours = 0 } = figures ?? {};
  return [
    {
      name: "every behaviour was tried",
      why: behaviours === everyBehaviour ? undefined : `${behaviours} of ${everyBehaviour} were`,
      counts: { runs, behaviours },
    },
    none("no process runs on when its action's end is told", figures?.survivors),
    none("no descriptor stays open", figures?.leakedDescriptors),
    none("no file stays behind", figures?.leakedFiles),
  ];
}

function stormChecks(storms: StormFigures | undefined): Check[] {
  const missing = Object.keys(everyStorm).filter((name) => !storms?.names.includes(name));
  const { runs = 0, surprises = [], unanswered = [] } = storms ?? {};
  const clean = (name: string, found: readonly string[]): Check => ({
    name,
    why: found.length > 0 ? found.join(" | ") : storms === undefined ? "there were no storms" : undefined,
    counts: { runs },
  });
  return [
    clean("every storm was raised", missing),
    clean("the server answers while a crowd that wakes itself rages", unanswered),
    clean("every crowd ended as its limit says, and when it was told to", surprises),
    none("nothing of a crowd runs on when its end is told", storms?.survivors),
  ];
}

/** Nothing may be counted, and somebody must have looked. */
function none(name: string, count: number | undefined): Check {
  const why = count === undefined ? "nobody looked" : count === 0 ? undefined : `there were ${count}`;
  return { name, why };
}
