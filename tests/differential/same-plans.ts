import { inert } from "@gatehouse/command-line";
import type { PlanFinding, PlanSectionView } from "@gatehouse/contract/routes";
import { type HostWork, type Operation, operationTitle, parsePlan, workLines } from "@gatehouse/plan";
import { inLanes } from "../support/lanes.ts";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { type CompiledAgent, type ExplainedPlan, needCompiledAgent } from "./compiled.ts";
import { drawOperation, listOf } from "./drawn-operations.ts";
import { harms } from "./harms.ts";
import { openPlanYard, type PlanYard } from "./plan-yard.ts";

/** One in so many is also read as people read it. */
const readEvery = 10;

/** Of `gatehouse plan show --json`. */
interface ShownPlan {
  readonly plan: { readonly digest: string };
  readonly sections: readonly (Omit<PlanSectionView, "operations" | "findings"> & {
    readonly operations: readonly (PlanSectionView["operations"][number] & HostWork)[];
    readonly findings: readonly (PlanFinding & { readonly by: "here" | "server" })[];
  })[];
}

/**
 * Plans that the real server has made and linted, as the server tells them, as the command line shows them, and as the compiled agent explains their
 * bytes: words, texts and lists of words are the same, byte for byte.
 */
export const samePlans: Scenario<"differential"> = {
  name: "plans",
  run: ({ seed, counts }) =>
    inScratch(async (directory) => {
      const tally = new Tally();
      const agent = needCompiledAgent();
      const yard = await openPlanYard(`${directory}/data`);
      try {
        await inLanes(Array(counts.plans).keys(), (index) => comparePlan({ yard, agent, tally, seed, index }));
      } finally {
        await yard.close();
      }
      return tally.outcome();
    }),
};

interface Compared {
  readonly yard: PlanYard;
  readonly agent: CompiledAgent;
  readonly tally: Tally;
  readonly seed: number;
  readonly index: number;
}

async function comparePlan({ yard, agent, tally, seed, index }: Compared): Promise<void> {
  const random = new Random(seed, index);
  const nodes = yard.nodes.filter(() => random.chance(0.5));
  const operations = listOf(random, 1, 4, () => drawOperation(random));
  const chosen = nodes.length === 0 ? yard.nodes.slice(0, 1) : nodes;
  const { id, digest } = await yard.make(chosen, operations, `Plan ${index}`);
  const bytes = await yard.document(id);
  const server = await yard.sections(id);
  const shown = JSON.parse(await yard.gatehouse(`plan show ${id} --json`)) as ShownPlan;
  const explained = await agent.explainJson(bytes, `plan-${index}.json`);
  const same = (what: string, ...texts: readonly unknown[]) => {
    const [first, ...others] = texts.map((text) => JSON.stringify(text));
    tally.count("comparisons");
    const other = others.find((text) => text !== first);
    if (other === undefined) return;
    tally.fail(`plan ${index}, ${what}: ${first?.slice(0, 300)} is not ${other.slice(0, 300)}`, harms.differs);
  };
  tally.count("plans");
  const read = parsePlan(bytes);
  same(
    "operations",
    read.ok && read.value.sections.map((section) => section.operations),
    chosen.map(() => operations),
  );
  same("digest", digest, shown.plan.digest, explained.digest);
  same("nodes", ...[server, shown.sections, explained.sections].map((all) => all.map(({ node }) => node)));
  for (const [at, section] of server.entries()) {
    const [here, host] = [shown.sections[at], explained.sections[at]];
    tally.count("sections");
    compareSection(same, operations, { section, here, host });
    same("findings", byCode(section.findings), byCode(here?.findings ?? []));
    const alone = here?.findings.filter(({ by, code }) => by === "server" && !code.startsWith("firewall.control_"));
    same("findings of the server alone", alone, []);
  }
  if (index % readEvery === 0) await comparePages({ yard, agent, id, bytes, operations, explained, same, index });
}

type Same = (what: string, ...texts: readonly unknown[]) => void;

interface ReadSections {
  readonly section: PlanSectionView;
  readonly here: ShownPlan["sections"][number] | undefined;
  readonly host: ExplainedPlan["sections"][number] | undefined;
}

function compareSection(same: Same, operations: readonly Operation[], { section, here, host }: ReadSections): void {
  for (const [at, operation] of operations.entries()) {
    const [told, shown, done] = [section.operations[at], here?.operations[at], host?.operations[at]];
    same("kind", operation.kind, told?.kind, shown?.kind, done?.kind);
    same("words", told?.words, shown?.words, done?.words);
    same("diff", told?.diff, shown?.diff);
    same("files", shown?.files, done?.files);
    same("argv", shown?.programs, done?.programs);
    const text = done?.files[0]?.text;
    if (operation.kind === "firewall.apply") {
      const head = `add table inet ${operation.table}\ndelete table inet ${operation.table}\n`;
      for (const diff of [told?.diff, shown?.diff]) same("nft text", head + newText(diff), text);
      same("kept table", text, done?.files[1]?.text);
    }
    if (operation.kind === "network.wireguard") {
      const { interface: name, addresses } = operation;
      // What is shown as there afterwards is what ip is told, and both texts are kept for the next boot.
      const shownAddresses = newText(told?.diff)
        .split("\n")
        .flatMap((line) => /^address (.+)$/.exec(line)?.[1] ?? []);
      same("addresses", shownAddresses, addresses.toSorted());
      const lines = done?.files[1]?.text.split("\n") ?? [];
      const added = lines.flatMap((line) => /^address add (.+) dev (.+)$/.exec(line)?.slice(1) ?? []);
      same(
        "text for ip",
        added,
        shownAddresses.flatMap((one) => [one, name]),
      );
      same("kept interface", [text, done?.files[1]?.text], [done?.files[2]?.text, done?.files[3]?.text]);
    }
    if (operation.kind === "binary.replace") {
      // No reviewer reads its bytes: what is said of them is what a signature is over, and nothing else is done.
      for (const lines of [told?.words, shown?.words, done?.words])
        same(
          "digest of the program",
          true,
          lines?.some((line) => line.includes(operation.sha256)),
        );
      same("files and programs besides", [done?.files, done?.programs], [[], []]);
    }
    if (operation.kind === "file.write") {
      same("path", operation.path, done?.files[0]?.path);
      same("text of the file", operation.text, text);
      // The first line is what the file is called by: its hash and its attributes.
      const lines = newText(told?.diff?.filter(({ mark }) => mark !== "removed").slice(1));
      same("text of the file in the diff", lines, text === "" || text?.endsWith("\n") ? text : `${text}\n`);
    }
  }
}

/** What will be there, of a comparison. */
function newText(diff: PlanSectionView["operations"][number]["diff"] = []): string {
  return diff
    .filter(({ mark }) => mark !== "removed")
    .map(({ text }) => `${text}\n`)
    .join("");
}

function byCode(findings: readonly PlanFinding[]): string[] {
  return findings
    .map(({ severity, code, says, operation, packet }) => JSON.stringify({ severity, code, says, operation, packet }))
    .toSorted();
}

interface Pages {
  readonly yard: PlanYard;
  readonly agent: CompiledAgent;
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly operations: readonly Operation[];
  readonly explained: ExplainedPlan;
  readonly same: Same;
  readonly index: number;
}

/** As people read them: the lines of every operation stand in both, one after the other. */
async function comparePages({ yard, agent, id, bytes, operations, explained, same, index }: Pages): Promise<void> {
  const page = await yard.gatehouse(`plan show ${id} --programs`);
  const other = await agent.explain(bytes, `page-${index}.json`);
  const blocks = explained.sections.map((section) =>
    section.operations
      .flatMap(({ words, files, programs }, at) => [
        `  ${operationTitle(operations[at] as Operation, at)}`,
        ...words.map((line) => `       ${line}`),
        ...workLines({ files, programs }),
      ])
      .map(inert)
      .join("\n"),
  );
  same("pages", countIn(page, blocks), countIn(other, blocks), blocks.length);
  const whole = explained.sections.map(({ node }, at) => `\n${node}\n${blocks[at]}\n`).join("");
  same("page of the agent", other, `Plan ${explained.digest}\n${whole}`);
}

/** How many of the texts stand there, each behind the one before it. */
function countIn(page: string, texts: readonly string[]): number {
  let [at, found] = [0, 0];
  for (const text of texts) {
    const next = page.indexOf(`\n${text}\n`, at);
    if (next === -1) continue;
    at = next + text.length;
    found += 1;
  }
  return found;
}
