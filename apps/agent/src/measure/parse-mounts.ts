/** One line of /proc/self/mountinfo. */
export interface Mount {
  readonly id: string;
  /** The mount that it is mounted on. */
  readonly parent: string;
  /** Major and minor number: the same for every mount of one file system. */
  readonly device: string;
  readonly point: string;
  readonly type: string;
  /** Whether the file system itself is; under systemd every mount of the agent is, because its unit may write nowhere. */
  readonly isReadOnly: boolean;
}

export function parseMounts(mountinfo: string): readonly Mount[] {
  return mountinfo.split("\n").flatMap((line) => {
    // A number of optional fields ends with a lone dash.
    const dash = line.indexOf(" - ");
    const [id, parent, device, , point] = line.slice(0, Math.max(dash, 0)).split(" ");
    const [type, , options] = line.slice(dash + 3).split(" ");
    if (id === undefined || parent === undefined || device === undefined) return [];
    if (point === undefined || type === undefined || options === undefined) return [];
    return [{ id, parent, device, point: unescaped(point), type, isReadOnly: options.split(",").includes("ro") }];
  });
}

/**
 * The file systems whose fullness says something, each by the places at which it can be asked. That is what stands on a
 * block device, and what keeps its own devices; so nothing is asked over a network, and memory is no disk. A device that is
 * mounted often is one file system. What can never be written is left out: images of snaps and CDs are always full.
 * The root counts whatever it stands on: in a container it is an overlay, which answers for the disk below it.
 */
export function findFileSystems(mounts: readonly Mount[]): readonly (readonly string[])[] {
  const kept = mounts.filter(
    (each) => !each.isReadOnly && (isRoot(each) || keepsData(each)) && !isHidden(each, mounts),
  );
  const chosen = kept.length > 0 ? kept : mounts.filter(isRoot);
  const places = Map.groupBy(chosen, ({ device }) => device);
  // The shortest first: the agent has no right to look below most directories.
  return [...places.values()].map((each) =>
    each.map(({ point }) => point).toSorted((one, other) => one.length - other.length),
  );
}

const isRoot = ({ point }: Mount): boolean => point === "/";

/** They have no device number of their own, because they may have many devices. */
const ownDevices = ["bcachefs", "btrfs", "ubifs", "zfs"];

function keepsData({ device, type }: Mount): boolean {
  return !device.startsWith("0:") || ownDevices.includes(type);
}

/**
 * Where something else is mounted at the same place or above it, the name leads there: perhaps to a network that hangs. What
 * is mounted over the root hides nothing from a process that stands in it already.
 */
function isHidden(mount: Mount, mounts: readonly Mount[]): boolean {
  const isOnTop = (other: Mount) => other.parent === mount.id && other.point === mount.point && !isRoot(other);
  const isBelow = (each: Mount) =>
    mounts.some(({ parent, point }) => parent === each.parent && each.point.startsWith(`${point}/`));
  return mounts.some(isOnTop) || lineOf(mount, mounts).some(isBelow);
}

/** A mount and what it stands on, down to the first. None stands on itself; a text that says so ends all the same. */
function lineOf(mount: Mount, mounts: readonly Mount[]): readonly Mount[] {
  const below = (each: Mount) => mounts.find(({ id }) => id === each.parent);
  const line = [mount];
  for (let at = below(mount); at !== undefined && !line.includes(at); at = below(at)) line.push(at);
  return line;
}

/** The kernel writes what would end a field as three octal digits. */
function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
