import { type ManifestFields, packManifest } from "@gatehouse/bundle/sign";
import { bundleLimits } from "@gatehouse/bundle/verify";
import { type Json, type JsonObject, parseStrictJsonBytes } from "@gatehouse/base";
import { UsageError } from "@gatehouse/command-line";
import { pluginIdPattern } from "@gatehouse/contract";
import { defineCommand } from "../command.ts";
import { readInput } from "../files/read-input.ts";
import { manifestLines } from "../plugins/describe-manifest.ts";
import { writeBundle } from "../plugins/write-bundle.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin pack";

export const pluginPack = defineCommand({
  name: topic,
  summary: "make a bundle of a description and an artifact",
  about: [
    "Writes the directory OUT/ID with the two files of a bundle: the artifact, copied, and manifest.json, which holds your description and the artifact's size and SHA-256 digest. What is there already is never written over.",
    "The description is a JSON file with the fields a person writes: id, name, version, publisher, runner, capabilities, and where needed egress, contributions and expiresAt. The rest is made here. Order and layout do not matter: the manifest gets its one byte form.",
    "The bundle is not signed yet: gatehouse plugin sign does that.",
  ],
  examples: [
    { why: "Pack a plugin into release/", run: "gatehouse plugin pack plugin.json hello.sh --out release" },
    { why: "Take the digest in a script", run: "gatehouse plugin pack plugin.json hello.sh --out release --json" },
  ],
  arguments: {
    description: { value: "PLUGIN.JSON", about: "The description of the plugin." },
    artifact: { value: "ARTIFACT", about: "The file that is the plugin: for the runner system, a program." },
  },
  flags: { out: { value: "OUT", about: "The directory in which the bundle is made. Without it, the current one." } },
  run: async (given) => {
    const fields = await readDescription(given.description);
    const { directory, manifest } = await writeBundle({
      out: given.out ?? ".",
      id: fields.id,
      artifact: given.artifact,
      topic,
      manifestOf: (artifact) => packManifest(fields, artifact),
    });
    return {
      ok: true,
      lines: [
        `Packed ${manifest.id} ${manifest.version} into ${directory}.`,
        ...manifestLines(manifest),
        `  Sign it: gatehouse plugin sign ${directory} --key FILE`,
      ],
      json: { directory, manifest: asJson(manifest) },
    };
  },
});

/** Made here: in a description they would be wrong at the next change of the artifact. */
const made = ["schema", "artifact", "signatures"];

async function readDescription(file: string): Promise<ManifestFields> {
  const refuse = (why: string) => new UsageError(`PLUGIN.JSON: ${file}: ${why}`, topic);
  const read = parseStrictJsonBytes(
    await readInput(file, { what: "PLUGIN.JSON", topic, most: bundleLimits.manifestBytes }),
  );
  if (!read.ok) throw refuse(`expected strict JSON, found: ${read.reason}, at character ${read.at}`);
  const { value } = read;
  if (!isObject(value)) throw refuse("expected an object");
  const surplus = made.find((name) => Object.hasOwn(value, name));
  if (surplus !== undefined) throw refuse(`expected no ${surplus}: it is made by this command`);
  const { id, egress } = value;
  // The id names a directory before the manifest is judged.
  if (typeof id !== "string" || !pluginIdPattern.test(id)) {
    throw refuse("id: expected 2 to 63 of a-z, 0-9 and -, beginning with a letter or digit");
  }
  if (egress !== undefined && !isObject(egress)) throw refuse('egress: expected {"hosts": [...]}');
  // Every field is judged when the manifest is made.
  return value as unknown as ManifestFields;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
