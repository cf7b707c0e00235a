/** Aborted when systemd, or a person at the keyboard, asks the program to end. A second time it ends at once. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.once(name, () => controller.abort());
  }
  return controller.signal;
}
