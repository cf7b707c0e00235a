/** Runs before the page's own scripts; keeps what the page's policy refused and how long tasks took. */
export function watchPage() {
  const watched = { violations: [], longTasks: [] };
  window.__watched = watched;
  document.addEventListener("securitypolicyviolation", (event) => {
    watched.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) watched.longTasks.push(Math.round(entry.duration));
  }).observe({ type: "longtask", buffered: true });
}

export function readWatched() {
  return window.__watched;
}

export function isFocused(element) {
  return element === document.activeElement;
}

export function isSticky(element) {
  return getComputedStyle(element).position === "sticky";
}

export function holdsFocus(element) {
  return element.contains(document.activeElement);
}

/** A link in a row is no row: arrows do nothing there. */
export function holdsFocusedRow(element) {
  return element.contains(document.activeElement) && document.activeElement.tagName === "TR";
}

/** Resolves when what was under way is drawn. */
export async function afterFrames() {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await nextFrame();
  await nextFrame();
}

/** Resolves when the page has nothing to do: what it begins late is begun. */
export function whenIdle() {
  return new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(() => resolve())));
}

export function focusedWords() {
  const element = document.activeElement;
  const name = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
  return `${element?.tagName.toLowerCase()} "${name.trim().slice(0, 40)}"`;
}

/** Scrolls the window down by steps, one per frame, and gives the times between frames. */
export async function scrollAndMeasure({ from, count, pixels }) {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  window.scrollTo(0, from);
  // The jump itself is not a scroll: its rows are drawn before the clock starts.
  await nextFrame();
  await nextFrame();
  const times = [];
  let last = performance.now();
  for (let step = 0; step < count; step += 1) {
    window.scrollBy(0, pixels);
    await nextFrame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return { times, max: Math.max(...times), scrolled: Math.round(window.scrollY) };
}

/** Runs before the page's own scripts; keeps when the first heading that can be seen was painted, from the start of the load. */
export function watchHeading() {
  const look = () => {
    // A heading for a screen reader alone is a single pixel: what the page has to say has not come yet.
    const box = document.querySelector("h1")?.getBoundingClientRect();
    if (box === undefined || box.width < 2) {
      requestAnimationFrame(look);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => void (window.__headingMs = performance.now());
    // The next frame begins after this one was painted.
    requestAnimationFrame(() => port2.postMessage(undefined));
  };
  requestAnimationFrame(look);
}

export function readHeadingMs() {
  return window.__headingMs;
}

export function readPerf() {
  return window.__latticePerf;
}

/** Whether nothing moves any more but what moves for ever. */
export function isAtRest() {
  return document
    .getAnimations()
    .every((one) => one.effect.getTiming().iterations === Infinity || one.playState === "finished");
}

/** By how many pixels the page is wider than the window. */
export function overflowsSideways() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

/** What has too little room, a line for each: rows that tower, words of a letter a line, buttons out of sight. */
export function crampedThings() {
  const tallest = 200;
  const found = [];
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) found.push(`the page is ${wide} px wider than the window`);
  const words = (element) => element.textContent.trim().slice(0, 40);
  for (const row of document.querySelectorAll("main tr:not([aria-hidden])")) {
    const { height } = row.getBoundingClientRect();
    if (height > tallest) found.push(`a row is ${Math.round(height)} px high: ${words(row)}`);
  }
  for (const button of document.querySelectorAll("main button, main a")) {
    const { left, right, width } = button.getBoundingClientRect();
    if (width > 1 && (left < 0 || right > innerWidth)) found.push(`out of sight: ${words(button)}`);
  }
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim();
    if (text.length < 4 || texts.currentNode.parentElement.getBoundingClientRect().width <= 1) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    if (lines >= 3 && text.length / lines < 4) found.push(`${lines} lines for the words: ${text.slice(0, 40)}`);
  }
  return found;
}

export function hasSlowCallTo(path) {
  return (window.__latticePerf ?? []).some(({ name }) => name.includes(path));
}
