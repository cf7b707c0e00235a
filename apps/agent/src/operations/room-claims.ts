import { fault } from "@gatehouse/contract/faults";
import { planLimits } from "@gatehouse/plan";

/** Room on disks, and the work of taking back, that the programs of one change need together. */
export interface RoomClaims {
  /** On a disk, with what was claimed there before. Throws `validate.failed`. */
  claimRoom(disk: ClaimedDisk, bytes: number): void;
  /** Bytes that would be read and written again, should the change be taken back. Throws `validate.failed`. */
  claimReturn(path: string, bytes: number): void;
}

export interface ClaimedDisk {
  /** A directory on it, for whoever reads why there is no room. */
  readonly directory: string;
  readonly device: number;
  readonly free: number;
}

/** Left free beside all that is written: the services of the host are on that disk too. */
export const spareBytes = 16 * 1024 * 1024;

/** Whoever takes a change back has two minutes for all of it. */
const mostReturned = planLimits.artifactBytes;

export function openRoomClaims(): RoomClaims {
  const claimed = new Map<number, number>();
  let returned = 0;
  return {
    claimRoom: ({ directory, device, free }, bytes) => {
      const all = (claimed.get(device) ?? 0) + bytes;
      claimed.set(device, all);
      const wanted = all + spareBytes;
      if (free < wanted)
        throw fault("validate.failed", `${directory}: expected ${wanted} bytes of room, found ${free}`);
    },
    claimReturn: (path, bytes) => {
      returned += bytes;
      if (returned <= mostReturned) return;
      const found = `${returned} with ${path}`;
      throw fault(
        "validate.failed",
        `programs to be replaced: expected at most ${mostReturned} bytes in all, found ${found}`,
      );
    },
  };
}
