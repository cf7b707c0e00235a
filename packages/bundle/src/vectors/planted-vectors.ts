import type { FaultCode } from "@gatehouse/contract";
import { signed, type PlantStep, type Vector, vectorId } from "./vector.ts";

const manifest = `${vectorId}/manifest.json`;
const artifact = `${vectorId}/artifact`;

const planted = (
  name: string,
  code: FaultCode,
  says: string,
  plant: readonly PlantStep[],
  entry: string = vectorId,
): Vector => ({ name, code, says, manifest: signed(), plant, entry });

/** Good bundles with something that only a file system can hold. */
export const plantedVectors: readonly Vector[] = [
  planted(
    "name-invalid",
    "bundle.name_invalid",
    "A directory whose name is no plugin id.",
    [{ do: "move", path: vectorId, to: "Acme Lines" }],
    "Acme Lines",
  ),
  planted(
    "name-hidden",
    "bundle.name_invalid",
    "A directory that is hidden from a listing.",
    [{ do: "move", path: vectorId, to: `.${vectorId}` }],
    `.${vectorId}`,
  ),
  planted("directory-link", "bundle.not_a_directory", "A link to a good bundle.", [
    { do: "move", path: vectorId, to: "elsewhere" },
    { do: "symlink", path: vectorId, target: "elsewhere" },
  ]),
  planted("directory-file", "bundle.not_a_directory", "A file in place of the directory.", [
    { do: "remove", path: vectorId },
    { do: "write", path: vectorId, text: "hello\n" },
  ]),
  planted("directory-pipe", "bundle.not_a_directory", "A named pipe in place of the directory.", [
    { do: "remove", path: vectorId },
    { do: "fifo", path: vectorId },
  ]),
  planted("directory-absent", "bundle.file_missing", "There is no such directory.", [{ do: "remove", path: vectorId }]),
  planted("extra-file", "bundle.unexpected_entry", "A third file.", [
    { do: "write", path: `${vectorId}/README`, text: "hello\n" },
  ]),
  planted("extra-directory", "bundle.unexpected_entry", "A directory inside.", [
    { do: "directory", path: `${vectorId}/assets` },
  ]),
  planted("manifest-link", "bundle.not_a_regular_file", "The manifest is a link.", [
    { do: "move", path: manifest, to: "manifest.json" },
    { do: "symlink", path: manifest, target: "../manifest.json" },
  ]),
  planted("artifact-link", "bundle.not_a_regular_file", "The artifact is a link that leads nowhere.", [
    { do: "remove", path: artifact },
    { do: "symlink", path: artifact, target: "../nowhere" },
  ]),
  planted("manifest-pipe", "bundle.not_a_regular_file", "The manifest is a named pipe that nobody writes to.", [
    { do: "remove", path: manifest },
    { do: "fifo", path: manifest },
  ]),
  planted("artifact-pipe", "bundle.not_a_regular_file", "The artifact is a named pipe that nobody writes to.", [
    { do: "remove", path: artifact },
    { do: "fifo", path: artifact },
  ]),
  planted("artifact-directory", "bundle.not_a_regular_file", "The artifact is a directory.", [
    { do: "remove", path: artifact },
    { do: "directory", path: artifact },
  ]),
  planted("artifact-second-name", "bundle.hard_link", "The artifact has a second name elsewhere.", [
    { do: "hardlink", path: artifact, to: "second-name" },
  ]),
  planted("manifest-second-name", "bundle.hard_link", "The manifest has a second name elsewhere.", [
    { do: "hardlink", path: manifest, to: "second-name" },
  ]),
  planted("manifest-missing", "bundle.file_missing", "No manifest.", [{ do: "remove", path: manifest }]),
  planted("artifact-missing", "bundle.file_missing", "No artifact.", [{ do: "remove", path: artifact }]),
  planted(
    "manifest-unreadable",
    "bundle.unreadable",
    "The manifest may not be read; a harness that runs as root leaves this one out.",
    [{ do: "chmod", path: manifest, mode: "000" }],
  ),
  planted("manifest-too-large", "bundle.manifest_too_large", "A manifest of one byte beyond 64 KiB.", [
    { do: "size", path: manifest, size: 65_537 },
  ]),
  planted("artifact-too-large", "bundle.artifact_too_large", "A sparse artifact of one tebibyte.", [
    { do: "size", path: artifact, size: 1_099_511_627_776 },
  ]),
];
