import { expect, test } from "vitest";
import { testReleaseKey } from "../../apps/agent/src/trust/release-keys.ts";
import { weakKeys } from "../../tests/support/weak-keys.ts";
import { agentDefines, type AgentBuildWords } from "./agent-defines.ts";

const now = "25lf4lFp0UHKubu6krqgH58uHs599MsqwFGQ83/MH50=";
const next = "IVL40Zt5HSRFMkLhXy6rbLfP+ntqXtMAl5YOBpiB2xI=";
const defines = (words: Omit<AgentBuildWords, "packageVersion"> = {}) =>
  agentDefines({ packageVersion: "1.2.3", ...words });

test("a build has the version of the sources, and the keys that were given", () => {
  expect(defines()).toEqual([
    '--define=GATEHOUSE_AGENT_VERSION="1.2.3"',
    '--define=GATEHOUSE_RELEASE_KEYS=""',
    "--define=GATEHOUSE_TEST_BUILD=false",
  ]);
  expect(defines({ releaseKeys: [now, next] })).toContain(`--define=GATEHOUSE_RELEASE_KEYS="${now},${next}"`);
});

test("only a build for tests has another version, or the key that everybody has, and it says that it is one", () => {
  expect(() => defines({ version: "1.2.4" })).toThrow("only a build for tests");
  expect(() => defines({ releaseKeys: [testReleaseKey] })).toThrow(/^release\.test_key/);
  expect(() => defines({ releaseKeys: [now, testReleaseKey] })).toThrow(/^release\.test_key/);
  expect(defines({ version: "1.2.4", releaseKeys: [testReleaseKey], isTestBuild: true })).toEqual([
    '--define=GATEHOUSE_AGENT_VERSION="1.2.4"',
    `--define=GATEHOUSE_RELEASE_KEYS="${testReleaseKey}"`,
    "--define=GATEHOUSE_TEST_BUILD=true",
  ]);
});

test("what hosts could not compare is no version, for tests neither", () => {
  for (const version of ["1.2", "v1.2.3", "1.2.3+build", ""]) {
    expect(() => defines({ version, isTestBuild: true }), version).toThrow("not a semantic version");
  }
});

test("keys that no agent would take are refused when it is made", () => {
  expect(() => defines({ releaseKeys: [now, next, now] })).toThrow(/at most 2, found 3/);
  expect(() => defines({ releaseKeys: [now, now] })).toThrow(/^release\.key_absent/);
  expect(() => defines({ releaseKeys: [""] })).toThrow();
  expect(() => defines({ releaseKeys: ["abc"] })).toThrow(/^release\.key_absent/);
  for (const weak of weakKeys) {
    const text = Buffer.from(weak, "hex").toString("base64");
    expect(() => defines({ releaseKeys: [text] }), weak).toThrow(/^key\.weak/);
  }
});
