import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { byteForm } from "@gatehouse/base";
import type { Operation } from "@gatehouse/plan";
import { childEnvironment } from "../support/child-environment.ts";
import { Random } from "../support/random.ts";
import { type Scenario, Tally } from "../support/scenario.ts";
import { inScratch } from "../support/scratch.ts";
import { makeSection } from "../support/signed-task.ts";
import { needCompiledAgent } from "./compiled.ts";
import { drawOperation } from "./drawn-operations.ts";
import { harms } from "./harms.ts";

const node = `node_${"0".repeat(26)}`;
const onePlan = 50;

/** For which programs are started. */
const programKinds = ["firewall.apply", "network.wireguard", "service.restart", "log.tail"] as const;
const nouns: Readonly<Record<string, string>> = {
  "firewall.apply": "tables",
  "network.wireguard": "interfaces",
  "service.restart": "units",
  "log.tail": "logs",
};

/**
 * Random tables, interfaces and units that the schemas accept, through the agent's own code to the real nft, ip, wg and systemctl. The kernel's record of what was
 * started is compared, word by word, with what the compiled agent said it would start: nothing more, nothing less, nothing else.
 */
export const realPrograms: Scenario<"differential"> = {
  name: "programs",
  run: ({ seed, counts }) =>
    inScratch(async (directory) => {
      const tally = new Tally();
      const operations = Array.from({ length: counts.values }, (_, index) => {
        const random = new Random(seed, index);
        return programKinds.map((kind) => drawOperation(random, kind));
      }).flat();
      const root = join(directory, "host");
      mkdirSync(root);
      const told = await explainAll(root, operations);
      const { flaws, started } = await doAll(directory, root, operations);
      for (const flaw of flaws) tally.fail(flaw, harms.argv);
      for (const [index, operation] of operations.entries()) {
        tally.count(nouns[operation.kind] ?? operation.kind);
        const [wanted, found] = [
          new Set(told[index]),
          new Set(started[index]?.filter((words) => !isOurs(words, root))),
        ];
        tally.count("argument lists", found.size);
        for (const words of found.difference(wanted)) tally.fail(`started and not explained: ${words}`, harms.argv);
        for (const words of wanted.difference(found)) tally.fail(`explained and not started: ${words}`, harms.argv);
      }
      return tally.outcome();
    }),
};

/** How this suite itself asks systemctl about a unit file, and does what systemd would do with a unit. */
function isOurs(words: string, root: string): boolean {
  const [program, first = ""] = JSON.parse(words) as string[];
  if (program === "systemctl") return first === `--root=${root}`;
  return program === "wireguard-go" && first !== "--version";
}

/** For each operation the lists of words that the compiled agent names, as JSON. */
async function explainAll(root: string, operations: readonly Operation[]): Promise<string[][]> {
  const agent = needCompiledAgent();
  const lists: string[][] = [];
  for (let first = 0; first < operations.length; first += onePlan) {
    const section = makeSection({ nodeId: node, operations: operations.slice(first, first + onePlan) });
    const { sections } = await agent.explainJson(byteForm(section), "section.json", ["--root", root]);
    for (const { programs } of sections[0]?.operations ?? [])
      lists.push(programs.map(({ argv }) => JSON.stringify(argv)));
  }
  return lists;
}

/** Without a network but its own, and with nothing in /run: there is no systemd to be reached. */
const alone = 'mount -t tmpfs tmpfs /run && exec "$@"';

async function doAll(directory: string, root: string, operations: readonly Operation[]) {
  const [file, trace] = [join(directory, "operations.json"), join(directory, "trace")];
  writeFileSync(file, JSON.stringify(operations));
  const traced = ["strace", "-f", "--seccomp-bpf", "-qq", "-z", "-xx", "-s", "100000", "-e", "trace=execve,execveat"];
  const child = [process.execPath, join(import.meta.dirname, "on-host.ts"), root, file];
  const words = ["--net", "--mount", "sh", "-euc", alone, "sh", ...traced, "-e", "signal=none", "-o", trace, ...child];
  const out = await new Promise<string>((done, fail) => {
    const options = { env: childEnvironment(), maxBuffer: 64 * 1024 * 1024 };
    execFile("unshare", words, options, (error, stdout, stderr) =>
      error === null ? done(stdout) : fail(new Error(`the traced host ended with ${error.code}: ${stderr}`)),
    );
  });
  return { flaws: JSON.parse(out) as string[], started: startedIn(readFileSync(trace, "utf8")) };
}

/** The lists of words for each operation, as JSON; a `true` stands before each operation. */
function startedIn(trace: string): string[][] {
  const lists: string[][] = [];
  for (const line of trace.split("\n")) {
    const [, list] = /execve(?:at)?\([^[]*\[([^\]]*)\]/.exec(line) ?? [];
    if (list === undefined) continue;
    const argv = [...list.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = ""]) =>
      Buffer.from(hex.replaceAll("\\x", ""), "hex").toString(),
    );
    if (argv[0] === "true") lists.push([]);
    else lists.at(-1)?.push(JSON.stringify(argv));
  }
  return lists;
}
