import { nodeVfs, type Vfs, type VfsFile } from "@gatehouse/files";
import type { FaultyVfs } from "@gatehouse/files/faulty";

/** Everything is done on the disk, so that it can be read, and in memory, which knows what a cut would leave. */
export function recordingVfs(memory: FaultyVfs, disk: Vfs = nodeVfs): Vfs {
  const both = <T>(work: (vfs: Vfs) => Promise<T>) => work(disk).then((done) => work(memory).then(() => done));
  return {
    open: async (path, mode) => {
      const [real, kept] = [await disk.open(path, mode), await memory.open(path, mode)];
      const each = <T>(work: (file: VfsFile) => Promise<T>) => work(real).then((done) => work(kept).then(() => done));
      return {
        size: () => real.size(),
        read: (position, length) => real.read(position, length),
        write: (bytes, position) => each((file) => file.write(bytes, position)),
        truncate: (size) => each((file) => file.truncate(size)),
        sync: () => each((file) => file.sync()),
        close: () => each((file) => file.close()),
      };
    },
    rename: (from, to) => both((vfs) => vfs.rename(from, to)),
    remove: (path) => both((vfs) => vfs.remove(path)),
    syncDirectory: (path) => both((vfs) => vfs.syncDirectory(path)),
    list: (path) => disk.list(path),
    makeDirectory: (path) => both((vfs) => vfs.makeDirectory(path)),
    removeDirectory: (path) => both((vfs) => vfs.removeDirectory(path)),
    space: (path) => disk.space(path),
  };
}
