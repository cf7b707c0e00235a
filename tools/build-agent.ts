import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Architecture, architectures } from "./build/bun-runtime.ts";
import { type AgentBuild, compileAgent } from "./build/compile-agent.ts";

/**
 * `npm run agent:build`: makes `dist/agent/<arch>/gatehouse-agent` with its `.gz`, and `dist/agent/digests.json`. `--arch x64` makes
 * one of them, `--twice` makes each again in another directory and compares. `--release-key BASE64[,BASE64]` are the keys of its later
 * releases: the one that signs now, and the next. `--test-build` makes one for tests in `dist/agent-test`, which may hold the release key
 * of the tests, and with `--version X` another version. Not part of `npm run build`: only hosts need it.
 */
const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    arch: { type: "string" },
    twice: { type: "boolean" },
    "release-key": { type: "string" },
    "test-build": { type: "boolean" },
    version: { type: "string" },
  },
});
const isTestBuild = values["test-build"] === true;
// What is for tests never lies where releases lie.
const dist = join(root, isTestBuild ? "dist/agent-test" : "dist/agent");
const words = {
  isTestBuild,
  releaseKeys: values["release-key"]?.split(",") ?? [],
  ...(values.version === undefined ? {} : { version: values.version }),
};

const built: Record<string, AgentBuild> = {};
for (const architecture of wanted(values.arch)) {
  const started = performance.now();
  const out = join(dist, architecture);
  const build = compileAgent({ root, architecture, out, ...words });
  built[architecture] = build;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${relative(root, out)}/gatehouse-agent  ${build.size} bytes, ${build.gzipSize} as gzip, ${seconds} s`);
  console.log(`  sha256 ${build.sha256}`);
  if (isTestBuild) console.log("  for tests alone: no host may run it");
  if (values.twice === true) compareWithSecond(architecture, build);
}
const file = join(dist, "digests.json");
const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, AgentBuild>) : {};
writeFileSync(file, `${JSON.stringify({ ...earlier, ...built }, null, 2)}\n`);

function wanted(asked: string | undefined): Architecture[] {
  const known = Object.keys(architectures) as Architecture[];
  if (asked === undefined) return known;
  const found = known.filter((name) => name === asked);
  if (found.length === 0) throw new Error(`--arch: expected ${known.join(" or ")}, found ${asked}`);
  return found;
}

function compareWithSecond(architecture: Architecture, first: AgentBuild): void {
  const out = mkdtempSync(join(tmpdir(), "gatehouse-agent-twice-"));
  try {
    const second = compileAgent({ root, architecture, out, ...words, compress: false });
    if (second.sha256 !== first.sha256) throw new Error(`${architecture}: the second build is ${second.sha256}`);
    console.log("  a second build in another directory has the same digest");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
