/** The host's words reach people and logs: what cannot be shown is not. */
export function shown(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, "?");
}
