import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { count, type Report } from "@gatehouse/command-line";
import { defineCommand } from "../command.ts";
import { cannotWrite } from "../files/write-new.ts";

const topic = "plugin vectors";

export const pluginVectors = defineCommand({
  name: topic,
  summary: "write or check bundles whose verdicts are known",
  about: [
    "Writes the published test vectors into a new directory: bundles, good and bad in one thing each, the trust policies they are judged by, and index.json, which says for each of them what the verdict must be. Use them to test a signer or a verifier in any language. Their keys are public knowledge: trust none of them.",
    "With --check it judges the vectors in a directory with the engine of this program and compares the verdicts with the index; exit code 1 if one differs.",
  ],
  examples: [
    { why: "Write the vectors", run: "gatehouse plugin vectors vectors" },
    { why: "Check this program against vectors of another version", run: "gatehouse plugin vectors vectors --check" },
  ],
  arguments: {
    directory: { value: "DIR", about: "The directory: a new one, or with --check one that has index.json." },
  },
  flags: { check: { about: "Judge the vectors that are there instead of writing them." } },
  run: ({ directory, check }) => (check === true ? checkIn(directory) : writeTo(directory)),
});

async function writeTo(directory: string): Promise<Report> {
  // Made when they are wanted: a hundred signatures are no part of every other command.
  const { makeVectors } = await import("@gatehouse/bundle/vectors");
  const files = makeVectors();
  await mkdir(dirname(directory), { recursive: true });
  await mkdir(directory).catch((cause: unknown) => {
    throw cannotWrite(directory, cause);
  });
  for (const [path, bytes] of files) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { flag: "wx" });
  }
  return {
    ok: true,
    lines: [`Wrote ${count(files.size, "file")} into ${directory}; index.json says what each is for.`],
    json: { directory, files: files.size },
  };
}

async function checkIn(directory: string): Promise<Report> {
  const { checkVectors } = await import("../plugins/check-vectors.ts");
  const { judged, differing, skipped } = await checkVectors(directory, topic);
  const ok = differing.length === 0 && judged > 0;
  return {
    ok,
    lines: [
      ok
        ? `${count(judged, "vector")} of ${directory} got the verdict that index.json gives.`
        : `${differing.length} of ${count(judged, "vector")} in ${directory} got another verdict.`,
      ...differing.flatMap(({ name, expected, found }) => [`  ${name}: expected ${expected}, found ${found}`]),
      ...skipped.map(({ name, why }) => `  skipped ${name}: ${why}`),
    ],
    json: {
      directory,
      judged,
      differing: differing.map((one) => ({ ...one })),
      skipped: skipped.map((one) => ({ ...one })),
    },
  };
}
