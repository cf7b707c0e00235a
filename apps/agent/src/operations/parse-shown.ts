/** What `systemctl show` prints: for each unit its properties, each with its values in order. */
export function parseShown(text: string): ReadonlyMap<string, readonly string[]>[] {
  return text.split(/\n{2,}/).map((block) => {
    const values = new Map<string, string[]>();
    for (const line of block.split("\n")) {
      const at = line.indexOf("=");
      if (at === -1) continue;
      const name = line.slice(0, at);
      values.set(name, [...(values.get(name) ?? []), line.slice(at + 1)]);
    }
    return values;
  });
}
