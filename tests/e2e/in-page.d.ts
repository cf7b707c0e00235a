/** Functions that run in the browser; plain JavaScript, because the tests' own types know no page. */

export interface Watched {
  readonly violations: readonly string[];
  readonly longTasks: readonly number[];
}

export interface Frames {
  readonly times: readonly number[];
  readonly max: number;
  readonly scrolled: number;
}

/** Runs before the page's own scripts; keeps what the page's policy refused and how long tasks took. */
export function watchPage(): void;
export function readWatched(): Watched;
export function isFocused(element: unknown): boolean;
export function isSticky(element: unknown): boolean;
export function holdsFocus(element: unknown): boolean;
export function holdsFocusedRow(element: unknown): boolean;
/** Resolves when what was under way is drawn. */
export function afterFrames(): Promise<void>;
/** Resolves when the page has nothing to do: what it begins late is begun. */
export function whenIdle(): Promise<void>;
export function focusedWords(): string;
/** Scrolls the window down by steps, one per frame, and gives the times between frames. */
export function scrollAndMeasure(steps: {
  readonly from: number;
  readonly count: number;
  readonly pixels: number;
}): Promise<Frames>;
/** Runs before the page's own scripts; keeps when the first heading that can be seen was painted, from the start of the load. */
export function watchHeading(): void;
export function readHeadingMs(): number | undefined;
export function readPerf(): readonly { readonly name: string; readonly ms: number }[] | undefined;
/** Whether nothing moves any more but what moves for ever. */
export function isAtRest(): boolean;
export function overflowsSideways(): number;
/** What has too little room, a line for each: rows that tower, words of a letter a line, buttons out of sight. */
export function crampedThings(): readonly string[];
export function hasSlowCallTo(path: string): boolean;
