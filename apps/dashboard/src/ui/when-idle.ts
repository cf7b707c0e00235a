/** For parts that nobody waits for: when the browser has nothing better to do, and after two seconds at the latest. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no word for it.
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve, 200);
    else requestIdleCallback(() => resolve(), { timeout: 2_000 });
  });
}
