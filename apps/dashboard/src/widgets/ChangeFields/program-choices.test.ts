import { expect, test } from "vitest";
import { choiceOptions, isGone } from "./artifact-choice.ts";
import { programChoice, programsOf } from "./program-choices.ts";
import { sampleArtifact } from "./sample-artifact.ts";

const caddy = sampleArtifact();
const older = sampleArtifact({ version: "2.8.3", sha256: "b".repeat(64) });
const agent = sampleArtifact({ name: "agent-of-ours", sha256: "c".repeat(64) });
const { publisher: _nobody, ...unpublished } = sampleArtifact({ sha256: "d".repeat(64) });
const release = { ...unpublished, kind: "release", name: "gatehouse-agent" } as const;
const arriving = sampleArtifact({ state: "arriving", parts: [0], sha256: "e".repeat(64) });

test("programs that are whole can be chosen, and neither releases nor what still arrives", () => {
  const programs = programsOf([caddy, older, release, arriving, agent]);
  expect(programs.map(({ name, version }) => `${name} ${version}`)).toEqual([
    "agent-of-ours 2.8.4",
    "caddy 2.8.4",
    "caddy 2.8.3",
  ]);
  expect(Object.keys(programs[0] ?? {}).toSorted()).toEqual([
    "architecture",
    "name",
    "publisher",
    "sha256",
    "signature",
    "size",
    "version",
  ]);
});

test("a choice says what tells two of one name apart", () => {
  expect(choiceOptions(programChoice, null, programsOf([caddy])).map(({ label }) => label)).toEqual([
    "Choose a program",
    "caddy 2.8.4, x64, by acme, 38.2 MiB, 3f2a1b9c",
  ]);
  expect(choiceOptions(programChoice, null, undefined)).toEqual([{ value: "", label: "Reading artifacts" }]);
});

test("one that was removed after it was chosen stays to be seen, and is said to be gone", () => {
  const [chosen = null] = programsOf([caddy]);
  const others = programsOf([older]);
  expect(isGone(chosen, others)).toBe(true);
  expect(choiceOptions(programChoice, chosen, others).map(({ value }) => value)).toEqual([
    "",
    caddy.sha256,
    older.sha256,
  ]);
  expect(isGone(chosen, undefined)).toBe(false);
  expect(isGone(null, others)).toBe(false);
  expect(isGone(chosen, programsOf([caddy]))).toBe(false);
});
