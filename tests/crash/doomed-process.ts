import type { Vfs, VfsFile } from "@gatehouse/files";

/** A process's view of a disk that can be ended like a process: what was written stays, nothing is heard of it any more. */
export interface DoomedProcess {
  readonly vfs: Vfs;
  readonly dead: boolean;
  readonly died: Promise<void>;
  kill(): void;
}

/** Ends when told to, or instead of its file operation number `lifetime` + 1. */
export function doomedProcess(disk: Vfs, lifetime = Infinity): DoomedProcess {
  let dead = false;
  let left = lifetime;
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const kill = (): void => {
    dead = true;
    die();
  };
  const until = <T>(result: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      left -= 1;
      if (left < 0) kill();
      if (dead) return;
      result().then(
        (value) => dead || resolve(value),
        (error: unknown) => dead || reject(error as Error),
      );
    });
  const openFile = (file: VfsFile): VfsFile => ({
    size: () => until(() => file.size()),
    read: (position, length) => until(() => file.read(position, length)),
    write: (bytes, position) => until(() => file.write(bytes, position)),
    truncate: (size) => until(() => file.truncate(size)),
    sync: () => until(() => file.sync()),
    close: () => until(() => file.close()),
  });
  return {
    get dead() {
      return dead;
    },
    died,
    kill,
    vfs: {
      open: (path, mode) => until(async () => openFile(await disk.open(path, mode))),
      rename: (from, to) => until(() => disk.rename(from, to)),
      remove: (path) => until(() => disk.remove(path)),
      syncDirectory: (path) => until(() => disk.syncDirectory(path)),
      list: (path) => until(() => disk.list(path)),
      makeDirectory: (path) => until(() => disk.makeDirectory(path)),
      removeDirectory: (path) => until(() => disk.removeDirectory(path)),
      space: (path) => until(() => disk.space(path)),
    },
  };
}
