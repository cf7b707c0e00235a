import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { HostWork } from "@gatehouse/plan";
import { compileAgent } from "../../tools/build/compile-agent.ts";
import { childEnvironment } from "../support/child-environment.ts";

/** What the one file that hosts run says of a plan. */
export interface CompiledAgent {
  explain(bytes: Uint8Array, name: string, more?: readonly string[]): Promise<string>;
  explainJson(bytes: Uint8Array, name: string, more?: readonly string[]): Promise<ExplainedPlan>;
}

export interface ExplainedPlan {
  readonly digest: string;
  readonly sections: readonly {
    readonly node: string;
    readonly operations: readonly (HostWork & { readonly kind: string; readonly words: readonly string[] })[];
  }[];
}

let known: CompiledAgent | undefined;

/** Compiled from these sources when it is asked for the first time, and gone with the suite. What it is asked about gets a name of the caller. */
export function needCompiledAgent(): CompiledAgent {
  known ??= compileForPlans();
  return known;
}

function compileForPlans(): CompiledAgent {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-differential-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const root = resolve(import.meta.dirname, "../..");
  compileAgent({ root, architecture: process.arch === "arm64" ? "arm64" : "x64", out: directory, compress: false });
  const program = join(directory, "gatehouse-agent");
  const explain: CompiledAgent["explain"] = (bytes, name, more = []) => {
    const file = join(directory, name);
    writeFileSync(file, bytes);
    return new Promise((done, fail) => {
      const options = { env: childEnvironment(), maxBuffer: 64 * 1024 * 1024 };
      execFile(program, ["helper", "explain", file, ...more], options, (error, out, err) =>
        error === null ? done(out) : fail(new Error(`helper explain ended with ${error.code}: ${err}`)),
      );
    });
  };
  return {
    explain,
    explainJson: async (bytes, name, more = []) =>
      JSON.parse(await explain(bytes, name, ["--json", ...more])) as ExplainedPlan,
  };
}
