/** Reads by name, and holds the last few that were read: whoever works through one does not have it read anew each time. */
export function holdLast<Value>(
  most: number,
  read: (name: string) => Promise<Value>,
): (name: string) => Promise<Value> {
  const held = new Map<string, Promise<Value>>();
  return (name) => {
    const known = held.get(name) ?? read(name);
    held.delete(name);
    held.set(name, known);
    known.catch(() => held.delete(name));
    for (const oldest of held.keys()) if (held.size > most) held.delete(oldest);
    return known;
  };
}
