import { dirname, join } from "node:path";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { nodeVfs } from "@gatehouse/files";
import { frame, isSameBytes, readFrame, readNumber, u16, u32 } from "@gatehouse/keys/frame";
import { isReadBySystemd, type Operation, systemctlWords } from "@gatehouse/plan";
import { findAccountIds } from "./account-names.ts";
import { atPlace } from "./at-place.ts";
import { sayFailedProgram } from "./failed-program.ts";
import {
  type FileContent,
  type FilePlace,
  forgetBefore,
  keepBefore,
  needPlainFile,
  readContent,
  removeFile,
  replaceFile,
  returnBefore,
} from "./file-place.ts";
import type { ChangeGround, HostChange } from "./host-operation.ts";

type FileWrite = Extract<Operation, { kind: "file.write" }>;

/** Of a file that a change replaces: it is kept whole. */
const mostBytes = 16 * 1024 * 1024;
/** Left free beside what is written. */
const spareBytes = 1024 * 1024;

/**
 * A file, put in place of what it was by renaming: whoever opens it finds the old one or the new one, whole. The copy is what it held
 * and who may do what with it. The file itself keeps a second name until the change has ended, so that it can come back on a full disk,
 * with all that no copy has.
 */
export const changeFile: HostChange<"file.write"> = {
  validate: async (ground, operation) => {
    const { path } = operation;
    const { bytes } = contentOf(ground, operation, "validate.failed");
    const { root, vfs = nodeVfs } = ground;
    await atPlace(ground, path, "validate.failed", async (place) => {
      await needPlainFile(place);
      // No change is open: what still has these names is an earlier one's, and would be taken for what is there now.
      await forgetBefore(place);
      const { free } = await vfs.space(join(root, dirname(path)));
      const wanted = bytes.byteLength + spareBytes;
      if (free < wanted) throw fault("validate.failed", `${path}: expected ${wanted} bytes of room, found ${free}`);
    });
  },
  snapshot: (ground, path) =>
    atPlace(ground, path, "snapshot.failed", async (place) => {
      await needPlainFile(place);
      const found = await readContent(place.file, mostBytes);
      if (found === undefined) return null;
      // The helper's unit may not set them, so that they could not be put back.
      if ((found.mode & 0o6000) !== 0)
        throw fault(
          "snapshot.failed",
          `${path}: expected no set-user-id or set-group-id bit, found mode ${octal(found.mode)}`,
        );
      return writeCopy(found);
    }),
  prove: async (ground, path, copy) => {
    if (copy !== null) readCopy(copy, "snapshot.unprovable");
    await atPlace(ground, path, "snapshot.unprovable", () => Promise.resolve());
  },
  apply: (ground, operation) => {
    const content = contentOf(ground, operation, "apply.failed");
    return atPlace(ground, operation.path, "apply.failed", async (place) => {
      await needPlainFile(place);
      await keepBefore(place);
      await replaceFile(place, content);
      // It would not see by itself that there is one now which comes before another.
      if (isReadBySystemd(operation.path)) await reloadSystemd(ground);
    });
  },
  isApplied: (ground, operation) => {
    const wanted = contentOf(ground, operation, "check.failed");
    return atPlace(ground, operation.path, "check.failed", async ({ file }) => {
      const found = await readContent(file, mostBytes);
      return found !== undefined && isSame(found, wanted);
    });
  },
  restore: (ground, path, copy) =>
    atPlace(ground, path, "restore.failed", (place) =>
      copy === null ? removeFile(place) : putBack(place, readCopy(copy, "restore.failed")),
    ),
  finish: (ground, { path }) => atPlace(ground, path, "apply.failed", forgetBefore),
};

const reloadMs = 30_000;

async function reloadSystemd({ run }: ChangeGround): Promise<void> {
  const ran = await run("systemctl", systemctlWords.reload, reloadMs);
  if (ran.code !== 0) throw fault("apply.failed", sayFailedProgram("systemctl", ran));
}

/**
 * The file itself where it still has its second name, and otherwise its copy. One that is as it was is left alone, unless it has got
 * another name: whoever owns it can give it one, and then nobody could tell that it is back.
 */
async function putBack(place: FilePlace, copy: FileContent): Promise<void> {
  // Whatever a program that still has it open has made of it, the copy is there.
  const before = await readContent(place.before, mostBytes).catch(() => undefined);
  if (before !== undefined && isSame(before, copy)) await returnBefore(place);
  const found = await readContent(place.file, mostBytes).catch(() => undefined);
  if (found === undefined || found.names !== 1 || !isSame(found, copy)) await replaceFile(place, copy);
  await forgetBefore(place);
}

function contentOf({ root }: ChangeGround, { text, mode, owner, group }: FileWrite, failed: FaultCode): FileContent {
  const { uid, gid } = findAccountIds(root, { owner, group });
  if (uid === undefined) throw fault(failed, `expected a user of this host, found ${owner}`);
  if (gid === undefined) throw fault(failed, `expected a group of this host, found ${group}`);
  return { bytes: new TextEncoder().encode(text), mode: Number.parseInt(mode, 8), uid, gid };
}

const copyDomain = "gatehouse-file-copy-v1";

/** Who may do what with it, and what it holds. */
function writeCopy({ bytes, mode, uid, gid }: FileContent): Uint8Array {
  return frame(copyDomain, u16(mode), u32(uid), u32(gid), bytes);
}

function readCopy(copy: Uint8Array, failed: FaultCode): FileContent {
  const fields = readFrame(copy, copyDomain, [2, 4, 4, "any"]);
  if (fields === undefined) throw fault(failed, "expected the copy of a file, found something else");
  const [mode, uid, gid, bytes] = fields;
  return { mode: numberOf(mode), uid: numberOf(uid), gid: numberOf(gid), bytes };
}

/** Of a field that is short enough to be one. */
function numberOf(field: Uint8Array): number {
  return readNumber(field) as number;
}

function isSame(one: FileContent, other: FileContent): boolean {
  const isAlike = one.mode === other.mode && one.uid === other.uid && one.gid === other.gid;
  return isAlike && isSameBytes(one.bytes, other.bytes);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, "0");
}
