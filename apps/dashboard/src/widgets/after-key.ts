/**
 * Opens a sheet from a row once the key press is over. Opened within it, the sheet takes the focus to its close button, and
 * the same Enter presses that.
 */
export function afterKey(open: () => void): void {
  setTimeout(open, 0);
}
