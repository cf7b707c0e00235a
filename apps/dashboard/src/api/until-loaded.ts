import { LateFiles } from "./late-files.ts";

/** The fields that somebody typed into. */
const typed = new WeakSet<EventTarget>();
const renewedFor = "gatehouse-renewed-for";
/** A lost network answers nothing; longer than this nobody has to be waited for. */
const askMs = 10_000;

/** The styles that the page itself names: the first part that is asked for waits for them. */
let unowned = namedStyles().map(({ href }) => href);

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
});

/** Asks for a part until it is here with its styles: without them its words and buttons lie over each other. */
export function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  const own = new Set(unowned);
  unowned = [];
  return lateFiles.load(async () => {
    const before = new Set(namedStyles());
    const loading = load();
    for (const link of namedStyles()) if (!before.has(link)) own.add(link.href);
    const part = await loading;
    await Promise.all(namedStyles().flatMap((link) => (own.has(link.href) && !isHere(link) ? [renew(link)] : [])));
    return part;
  });
}

/** Whoever loads a part waits for its styles once. One that did not come is not asked for again by itself; one in its place is. */
function renew(link: HTMLLinkElement): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const next = link.cloneNode() as HTMLLinkElement;
  next.addEventListener("load", resolve);
  next.addEventListener("error", () => reject(new Error(next.href)));
  link.replaceWith(next);
  return promise;
}

/** One that failed may have a sheet too, whose rules nobody may read. */
function isHere({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet?.cssRules !== undefined;
  } catch {
    return false;
  }
}

function namedStyles(): readonly HTMLLinkElement[] {
  return [...(globalThis.document?.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]") ?? [])];
}

function firstScript(page: Document | undefined): string | undefined {
  return page?.querySelector("script[type=module][src]")?.getAttribute("src") ?? undefined;
}

globalThis.document?.addEventListener("input", ({ target }) => {
  if (target !== null) typed.add(target);
});
