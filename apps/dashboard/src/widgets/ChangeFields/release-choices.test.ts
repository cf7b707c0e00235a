import { expect, test } from "vitest";
import { choiceOptions } from "./artifact-choice.ts";
import { releaseChoice, releasesOf } from "./release-choices.ts";
import { sampleArtifact } from "./sample-artifact.ts";

const { publisher: _nobody, ...of } = sampleArtifact({ kind: "release", name: "gatehouse-agent" });
const release = (version: string, digit: string, more = {}) => ({ ...of, version, sha256: digit.repeat(64), ...more });
const [older, newer, arm] = [
  release("0.9.0", "a"),
  release("0.10.0", "b"),
  release("0.10.0", "c", { architecture: "arm64" as const }),
];

test("releases that are whole can be chosen, the newest first, and no programs", () => {
  const arriving = release("0.11.0", "d", { state: "arriving" as const });
  const releases = releasesOf([older, newer, sampleArtifact(), arm, arriving]);
  expect(releases.map(({ version, architecture }) => `${version} ${architecture}`)).toEqual([
    "0.10.0 x64",
    "0.10.0 arm64",
    "0.9.0 x64",
  ]);
  expect(Object.keys(releases[0] ?? {}).toSorted()).toEqual(["architecture", "sha256", "signature", "size", "version"]);
});

test("a choice says what tells two of one version apart, and one that was removed stays to be seen", () => {
  const [chosen = null] = releasesOf([older]);
  const labels = (options: ReturnType<typeof choiceOptions>) => options.map(({ label }) => label);
  expect(labels(choiceOptions(releaseChoice, null, releasesOf([arm])))).toEqual([
    "Choose a release",
    "0.10.0, arm64, 38.2 MiB, cccccccc",
  ]);
  expect(labels(choiceOptions(releaseChoice, chosen, releasesOf([])))).toEqual([
    "Choose a release",
    "0.9.0, x64, 38.2 MiB, aaaaaaaa",
  ]);
  expect(labels(choiceOptions(releaseChoice, null, undefined))).toEqual(["Reading artifacts"]);
});
