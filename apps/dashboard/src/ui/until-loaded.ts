const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Asks for a late part of the page until it comes. While the server restarts there is nobody to ask, and a page that stands
 * must not fall over a menu. It ends with the page at the latest.
 */
export async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      renewStyles();
    }
  }
}

/** A style that did not come is not asked for again by itself; one in its place is. */
function renewStyles(): void {
  for (const link of globalThis.document?.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]") ?? []) {
    if (link.sheet === null) link.replaceWith(link.cloneNode());
  }
}
