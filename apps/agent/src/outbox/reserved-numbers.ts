import { isAbsent, type Vfs, writeDurably } from "@gatehouse/files";

const inAdvance = 4_096;

/**
 * Numbers are promised in advance, in a file of their own. When the messages are lost, the next one gets a number that none of them can
 * have had: the server knows what it has by its number alone.
 */
export async function readReserved(vfs: Vfs, path: string): Promise<number> {
  try {
    const file = await vfs.open(path, "read");
    try {
      const text = Buffer.from(await file.read(0, 32)).toString("latin1");
      return /^[1-9]\d{0,15}\n$/.test(text) ? Number(text) : 0;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
}

/** Promises numbers up to some way above `seq`, and returns that. */
export async function reserveNumbers(vfs: Vfs, path: string, seq: number): Promise<number> {
  const upTo = seq + inAdvance;
  await writeDurably(vfs, path, Buffer.from(`${upTo}\n`));
  return upTo;
}
