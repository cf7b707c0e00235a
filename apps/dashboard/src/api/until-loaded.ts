import { LateFiles } from "./late-files.ts";

/** The fields that somebody typed into. */
const typed = new WeakSet<EventTarget>();
const renewedFor = "gatehouse-renewed-for";
/** A lost network answers nothing; longer than this nobody has to be waited for. */
const askMs = 10_000;

/** The files that this page asks for late. */
export const lateFiles = new LateFiles({
  servedScript: async () => {
    try {
      const answer = await fetch("/", {
        cache: "no-store",
        headers: { Accept: "text/html" },
        signal: AbortSignal.timeout(askMs),
      });
      return answer.ok ? firstScript(new DOMParser().parseFromString(await answer.text(), "text/html")) : undefined;
    } catch {
      return undefined;
    }
  },
  ownScript: firstScript(globalThis.document),
  isInUse: () =>
    document.querySelector("dialog[open]") !== null ||
    [...document.querySelectorAll<HTMLInputElement>("input, textarea, select")].some(
      (field) => typed.has(field) && field.value !== "",
    ),
  reload: () => location.reload(),
  remember: {
    get: () => sessionStorage.getItem(renewedFor),
    set: (script) => sessionStorage.setItem(renewedFor, script),
  },
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  renewStyles: () => {
    // A style that did not come is not asked for again by itself; one in its place is.
    for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")) {
      if (link.sheet === null) link.replaceWith(link.cloneNode());
    }
  },
});

export function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  return lateFiles.load(load);
}

function firstScript(page: Document | undefined): string | undefined {
  return page?.querySelector("script[type=module][src]")?.getAttribute("src") ?? undefined;
}

globalThis.document?.addEventListener("input", ({ target }) => {
  if (target !== null) typed.add(target);
});
