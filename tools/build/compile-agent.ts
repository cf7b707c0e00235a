import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type AgentBuildWords, agentDefines } from "./agent-defines.ts";
import { type Architecture, architectures, findBun, hostBun } from "./bun-runtime.ts";

export interface AgentBuild {
  readonly sha256: string;
  readonly size: number;
  readonly gzipSize: number;
}

export interface CompileOptions extends Omit<AgentBuildWords, "packageVersion"> {
  readonly root: string;
  readonly architecture: Architecture;
  /** Gets `gatehouse-agent` and `gatehouse-agent.gz`. The name is in the bytes, so that it is always this one. */
  readonly out: string;
  /** False where nobody downloads it: compressing takes longer than compiling. */
  readonly compress?: boolean;
}

/** Compiles the agent into one file. The same sources, lock and words give the same bytes: no time, commit or directory is in them. */
export function compileAgent({ root, architecture, out, compress = true, ...words }: CompileOptions): AgentBuild {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const defines = agentDefines({ packageVersion: version, ...words });
  const file = join(out, "gatehouse-agent");
  mkdirSync(out, { recursive: true });
  execFileSync(
    hostBun(root),
    [
      "build",
      "--compile",
      "--minify",
      "--bytecode",
      "--format=esm",
      // What a verb loads for itself is then read only when it is asked for: a third of the cost of a start.
      "--splitting",
      // The agent is configured by files that root owns: never by what lies where it happens to be started.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      `--target=${architectures[architecture].target}`,
      `--compile-executable-path=${findBun(root, architecture)}`,
      ...defines,
      "apps/agent/src/main.ts",
      `--outfile=${file}`,
    ],
    // Nothing of the caller's environment is compiled in, or makes Bun behave in another way.
    { cwd: root, env: { PATH: "/usr/bin:/bin", HOME: out }, stdio: ["ignore", "ignore", "inherit"] },
  );
  const bytes = readFileSync(file);
  const build = { sha256: sha256(bytes), size: bytes.length };
  if (!compress) return { ...build, gzipSize: 0 };
  const packed = gzipSync(bytes, { level: 6 });
  writeFileSync(`${file}.gz`, packed);
  return { ...build, gzipSize: packed.length };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
