import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { compileAgent } from "../../../tools/build/compile-agent.ts";
import { ceilingDigest, parseCeiling } from "../src/ceiling/ceiling.ts";
import { testBuildWords } from "../src/commands/agent-version.ts";
import { agentPaths } from "../src/config.ts";
import { testReleaseKey } from "../src/trust/release-keys.ts";

/** The one file that hosts run: what the sources do under Node, it does by itself. */
const root = resolve(import.meta.dirname, "../../..");
const architecture = process.arch === "arm64" ? "arm64" : "x64";
let directory: string;
let digests: readonly string[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatehouse-compiled-"));
  const compile = (name: string) => compileAgent({ root, architecture, out: join(directory, name), compress: false });
  digests = ["one", "two/deeper"].map((name) => compile(name).sha256);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], more: Readonly<Record<string, string>> = {}, build = "one"): Promise<Ran> {
  // What our own tests set for Node is exactly what the agent refuses.
  const { NODE_OPTIONS: _, ...environment } = childEnvironment();
  return new Promise((done) => {
    const options = { env: { ...environment, ...more }, cwd: directory };
    execFile(join(directory, build, "gatehouse-agent"), [...args], options, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

test("two builds in different directories are the same bytes", () => {
  expect(digests[0]).toBe(digests[1]);
});

test("it says the version of the root package.json", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  expect(await run(["--version"])).toEqual({ code: 0, out: `gatehouse-agent ${version}\n`, err: "" });
});

test("it says whose releases it takes, and that it is for tests only where it is", async () => {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const said = async (build: string) => JSON.parse((await run(["version", "--json"], {}, build)).out) as object;
  expect(await said("one")).toMatchObject({ version, architecture, releaseKeys: [], testBuild: false });
  const words = { isTestBuild: true, releaseKeys: [testReleaseKey], version: "9.8.7-test.1" };
  const out = join(directory, "tests");
  compileAgent({ root, architecture, out, compress: false, ...words });
  expect(await said("tests")).toMatchObject({
    version: "9.8.7-test.1",
    releaseKeys: [testReleaseKey],
    testBuild: true,
  });
  const { out: told } = await run(["--version"], {}, "tests");
  expect(told).toBe(`gatehouse-agent 9.8.7-test.1\n${testBuildWords}\n`);
  expect(() => compileAgent({ root, architecture, out, releaseKeys: [testReleaseKey] })).toThrow(/^release\.test_key/);
});

test("it explains itself and corrects", async () => {
  expect(await run(["ceiling", "set", "--help"])).toMatchObject({
    code: 0,
    out: expect.stringContaining("equals root"),
  });
  expect(await run(["enroll"])).toMatchObject({ code: 2, err: expect.stringContaining("did you mean enrol?") });
});

test("it sets and shows a ceiling with the digest that Node computes", async () => {
  const host = join(directory, "host");
  await mkdir(join(host, "etc/nginx"), { recursive: true });
  const set = await run(["ceiling", "set", "managed", "--allow", "file.write:/etc/nginx", "--root", host, "--json"]);
  expect(set).toMatchObject({ code: 0, err: "" });
  const shown = JSON.parse((await run(["ceiling", "show", "--root", host, "--json"])).out) as { digest: string };
  const file = agentPaths(host).ceiling;
  expect(shown.digest).toBe(ceilingDigest(parseCeiling(await readFile(file))));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a host that is not enrolled is told by the exit code", async () => {
  expect(await run(["status", "--root", directory])).toMatchObject({
    code: 5,
    out: expect.stringContaining("not enrolled"),
  });
});

test.each(["BUN_OPTIONS", "NODE_TLS_REJECT_UNAUTHORIZED", "NODE_OPTIONS"])(
  "it refuses to start under %s",
  async (name) => {
    const { code, out, err } = await run(["--version"], { [name]: "0" });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(`agent.environment_refused: ${name}`);
  },
);

test("a file beside it does not configure it", async () => {
  await writeFile(join(directory, ".env"), "NODE_TLS_REJECT_UNAUTHORIZED=0\n");
  await writeFile(join(directory, "bunfig.toml"), 'preload = ["./not-there.ts"]\n');
  expect(await run(["--version"])).toMatchObject({ code: 0, err: "" });
});
