import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { nodeVfs, replaceDurably, type VfsFile } from "@gatehouse/files";
import { frame, readFrame, readNumber, u16, u32, u64 } from "@gatehouse/keys/frame";
import { newBinaryRights, planLimits } from "@gatehouse/plan";
import { sha256 } from "../local/sha256.ts";
import { atPlace } from "./at-place.ts";
import {
  type FilePlace,
  type FileRights,
  forgetBefore,
  keepBefore,
  needPlainFile,
  removeFile,
  replaceBy,
  returnBefore,
} from "./file-place.ts";
import type { ChangeGround } from "./host-operation.ts";
import {
  type Measured,
  measureFile,
  pourWanted,
  type Readable,
  readerOf,
  withPlainFile,
  writerOf,
} from "./poured-file.ts";
import { type ClaimedDisk, openRoomClaims } from "./room-claims.ts";

/** What a program was: who may do what with it, and by its digest what it held. */
interface KeptProgram extends FileRights, Measured {}

const mostBytes = planLimits.artifactBytes;

/**
 * A program, put in place of what it was by renaming: who runs the old one goes on with it, whoever starts it finds the old one or the
 * new one, whole. What was there is kept twice until the change has ended: under a second name, by which it comes back on a full disk as
 * the very file, and as a copy in root's own directory.
 */
export const replacedProgram = {
  validate: (ground: ChangeGround, path: string, wanted: Measured): Promise<void> =>
    atPlace(ground, path, "validate.failed", async (place) => {
      await needPlainFile(place);
      // No change is open: what still has these names is an earlier one's, and would be taken for what is there now.
      await forgetBefore(place);
      const old = await measureFile(place.file, mostBytes);
      await pourWanted(artifactOf(ground, wanted), wanted);
      const claims = ground.claims ?? openRoomClaims();
      claims.claimReturn(path, old?.size ?? 0);
      claims.claimRoom(await diskOf(ground, join(ground.root, dirname(path))), wanted.size);
      claims.claimRoom(await diskOf(ground, ground.directory), old?.size ?? 0);
    }),
  snapshot: (ground: ChangeGround, path: string): Promise<Uint8Array | null> =>
    atPlace(ground, path, "snapshot.failed", async (place) => {
      await needPlainFile(place);
      const found = await measureFile(place.file, mostBytes);
      if (found === undefined) return null;
      // The helper's unit may not set them, so that they could not be put back.
      if ((found.mode & 0o6000) !== 0) {
        const mode = found.mode.toString(8).padStart(4, "0");
        throw fault("snapshot.failed", `${path}: expected no set-user-id or set-group-id bit, found mode ${mode}`);
      }
      await withPlainFile(place.file, (file) =>
        replaceDurably(vfsOf(ground), keptAt(ground, path), (copy) =>
          pourWanted(readerOf(file), found, (bytes, at) => copy.write(bytes, at)),
        ),
      );
      return writeKept(found);
    }),
  prove: async (ground: ChangeGround, path: string, copy: Uint8Array | null): Promise<void> => {
    const kept = copy === null ? undefined : readKept(copy, "snapshot.unprovable");
    await atPlace(ground, path, "snapshot.unprovable", async () => {
      if (kept !== undefined) await withKept(ground, path, (file) => pourWanted(file, kept));
    });
  },
  /** One that is there keeps its rights where none are said. */
  apply: (ground: ChangeGround, path: string, wanted: Measured, rights?: FileRights): Promise<void> =>
    atPlace(ground, path, "apply.failed", async (place) => {
      await needPlainFile(place);
      const given = rights ?? (await findRights(place)) ?? programRights(ground);
      await keepBefore(place);
      const artifact = artifactOf(ground, wanted);
      await replaceBy(place, given, (next) => pourWanted(artifact, wanted, writerOf(next)));
    }),
  isApplied: (ground: ChangeGround, path: string, { sha256: wanted, size }: Measured): Promise<boolean> =>
    atPlace(ground, path, "check.failed", async ({ file }) => {
      const found = await measureFile(file, mostBytes);
      return found?.sha256 === wanted && found.size === size && found.names === 1;
    }),
  restore: (ground: ChangeGround, path: string, copy: Uint8Array | null): Promise<void> =>
    atPlace(ground, path, "restore.failed", (place) =>
      copy === null ? removeFile(place) : putBack(ground, place, path, readKept(copy, "restore.failed")),
    ),
  finish: (ground: ChangeGround, path: string): Promise<void> => atPlace(ground, path, "apply.failed", forgetBefore),
} as const;

/** Where there was no program before. Root is 0; tests have another. */
export function programRights({ owner }: Pick<ChangeGround, "owner">): FileRights {
  return { mode: Number.parseInt(newBinaryRights.mode, 8), uid: owner, gid: owner };
}

/**
 * The program itself where it still has its second name, and otherwise its copy. One that is as it was is left alone, unless it has got
 * another name: whoever owns it can give it one, and then nobody could tell that it is back.
 */
async function putBack(ground: ChangeGround, place: FilePlace, path: string, kept: KeptProgram): Promise<void> {
  // Whatever somebody has made of it, the copy is there.
  if (await isKept(place.before, kept)) await returnBefore(place);
  if (!(await isKept(place.file, kept, 1))) {
    await withKept(ground, path, (file) => replaceBy(place, kept, (next) => pourWanted(file, kept, writerOf(next))));
  }
  await forgetBefore(place);
}

async function isKept(name: string, kept: KeptProgram, names?: number): Promise<boolean> {
  const found = await measureFile(name, mostBytes).catch(() => undefined);
  if (found === undefined || (names !== undefined && found.names !== names)) return false;
  const isAlike = found.mode === kept.mode && found.uid === kept.uid && found.gid === kept.gid;
  return isAlike && found.sha256 === kept.sha256 && found.size === kept.size;
}

/** Who may do what with the program that is there, without reading it. */
async function findRights({ file }: FilePlace): Promise<FileRights | undefined> {
  return withPlainFile(file, async (opened) => {
    const { mode, uid, gid } = await opened.stat();
    return { mode: mode & 0o7777, uid, gid };
  });
}

async function diskOf(ground: ChangeGround, directory: string): Promise<ClaimedDisk> {
  const [{ free }, { dev }] = [await vfsOf(ground).space(directory), await stat(directory)];
  return { directory, device: dev, free };
}

function vfsOf({ vfs = nodeVfs }: ChangeGround) {
  return vfs;
}

/** By the path: a section changes a program once, whatever else it changes. */
function keptAt({ directory }: ChangeGround, path: string): string {
  return join(directory, `program-${sha256(new TextEncoder().encode(path)).toHex().slice(0, 32)}`);
}

/** As it came for this change: nobody can put another one in its place. */
function artifactOf({ artifacts = [] }: ChangeGround, { sha256: digest }: Measured): Readable {
  const found = artifacts.find((each) => each.sha256 === digest);
  if (found === undefined) throw fault("artifact.missing", `expected ${digest}, found no such artifact`);
  return found;
}

function withKept(ground: ChangeGround, path: string, work: (file: VfsFile) => Promise<void>): Promise<void> {
  return withOwn(ground, keptAt(ground, path), work);
}

/** Of root's own directory, where nobody else can put anything. */
async function withOwn(ground: ChangeGround, path: string, work: (file: VfsFile) => Promise<void>): Promise<void> {
  const file = await vfsOf(ground).open(path, "read");
  try {
    await work(file);
  } finally {
    await file.close();
  }
}

const keptDomain = "gatehouse-program-copy-v1";

function writeKept({ mode, uid, gid, size, sha256: digest }: KeptProgram): Uint8Array {
  return frame(keptDomain, u16(mode), u32(uid), u32(gid), u64(size), Uint8Array.fromHex(digest));
}

function readKept(copy: Uint8Array, failed: FaultCode): KeptProgram {
  const fields = readFrame(copy, keptDomain, [2, 4, 4, 8, 32]);
  if (fields === undefined) throw fault(failed, "expected what is known of a program, found something else");
  const [mode, uid, gid, size] = fields.map((field) => readNumber(field) ?? Number.NaN) as [
    number,
    number,
    number,
    number,
  ];
  return { mode, uid, gid, size, sha256: fields[4].toHex() };
}
