import { type Json, type JsonObject, parseStrictJsonBytes } from "@gatehouse/base";
import { isCapability, pluginIdPattern } from "@gatehouse/contract";
import { serialiseManifest } from "./byte-form.ts";
import { type CheckStep, fail, known, pass } from "./judgement.ts";
import { bundleLimits } from "./limits.ts";
import { readManifest } from "./manifest.ts";
import { describeValue, printable } from "./printable.ts";

/** The checks of the files and of the manifest's form, in order. They trust nothing and need no policy. */
export const manifestChecks = [
  {
    name: "files",
    judge: ({ bundle }) => {
      const found = `"${printable(bundle.id)}" with manifest.json and artifact of ${bundle.artifactSize} bytes`;
      if (!pluginIdPattern.test(bundle.id)) return fail("bundle.name_invalid", "2 to 63 of a-z, 0-9 and -", found);
      const most = bundleLimits.artifactBytes;
      if (bundle.artifactSize > most) return fail("bundle.artifact_too_large", `at most ${most} bytes`, found);
      return pass("two regular files with one name each", found);
    },
  },
  {
    name: "manifest-size",
    judge: ({ bundle }) => {
      const expected = `at most ${bundleLimits.manifestBytes} bytes`;
      const found = `${bundle.manifest.byteLength} bytes`;
      const fits = bundle.manifest.byteLength <= bundleLimits.manifestBytes;
      return fits ? pass(expected, found) : fail("bundle.manifest_too_large", expected, found);
    },
  },
  {
    name: "json",
    judge: ({ bundle }, findings) => {
      const read = parseStrictJsonBytes(bundle.manifest);
      if (!read.ok)
        return fail("bundle.manifest_malformed", "strict JSON", `a fault at character ${read.at}: ${read.reason}`);
      findings.value = read.value;
      return pass("strict JSON", "strict JSON");
    },
  },
  {
    name: "byte-form",
    judge: ({ bundle }, findings) => {
      const at = firstDifference(bundle.manifest, known(findings, "value"));
      if (at === undefined) return pass("the one byte form", "the one byte form");
      return fail("bundle.manifest_not_canonical", "the one byte form", at);
    },
  },
  {
    name: "schema",
    judge: (_, findings) => {
      const schema = memberOf(known(findings, "value"), "schema");
      return schema === 1 ? pass("1", "1") : fail("bundle.schema_unknown", "1", describeValue(schema), "/schema");
    },
  },
  {
    name: "capabilities",
    judge: (_, findings) => {
      const declared = memberOf(known(findings, "value"), "capabilities");
      const names = Array.isArray(declared) ? declared.filter((name) => typeof name === "string") : [];
      const unknown = names.find((name) => !isCapability(name));
      if (unknown === undefined) return pass("capabilities that exist", `${names.length} declared`);
      return fail("bundle.capability_unknown", "capabilities that exist", describeValue(unknown), "/capabilities");
    },
  },
  {
    name: "fields",
    judge: (_, findings) => {
      const reading = readManifest(known(findings, "value"));
      if (!reading.ok) return fail("bundle.manifest_invalid", reading.expected, reading.found, reading.at);
      findings.manifest = reading.manifest;
      return pass("the fields of schema 1", `${reading.manifest.id} ${reading.manifest.version}`);
    },
  },
  {
    name: "directory-name",
    judge: ({ bundle }, findings) => {
      const { id } = known(findings, "manifest");
      return bundle.id === id ? pass(id, bundle.id) : fail("bundle.id_mismatch", `a directory ${id}`, bundle.id);
    },
  },
] as const satisfies readonly CheckStep[];

/** Where the bytes leave the one byte form, or undefined when they are it. */
function firstDifference(bytes: Uint8Array, value: Json): string | undefined {
  const form = serialiseManifest(value);
  if (Buffer.compare(bytes, form) === 0) return undefined;
  const at = form.findIndex((byte, index) => byte !== bytes[index]);
  return `another byte at ${at < 0 ? form.byteLength : at}`;
}

function memberOf(value: Json, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null;
}
