/** Which row the focus goes to for a key, or null when the key is none of the table's. */
export function nextRow(key: string, at: number, count: number, page: number): number | null {
  if (count === 0) return null;
  const clamp = (row: number) => Math.min(count - 1, Math.max(0, row));
  switch (key) {
    case "ArrowDown":
    case "j":
      return clamp(at + 1);
    case "ArrowUp":
    case "k":
      return clamp(at < 0 ? 0 : at - 1);
    case "PageDown":
      return clamp(at + page);
    case "PageUp":
      return clamp(at - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

export type Sort = { column: string; down: boolean };

/** A press on a column head: first up, then down, then up again. Another column starts at up. */
export function nextSort(now: Sort | undefined, column: string): Sort {
  return { column, down: now?.column === column ? !now.down : false };
}
