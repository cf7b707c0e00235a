/**
 * What became of the files that the page asks for late. waiting: one did not come and is asked for again; updated: the
 * server has another dashboard now; stuck: the server answers, and yet the file does not come.
 */
export type LateState = "none" | "waiting" | "updated" | "stuck";

export interface LateDeps {
  /** The first script that the server's page names now; `undefined` when nobody answers. */
  readonly servedScript: () => Promise<string | undefined>;
  /** The first script of the page that stands here. */
  readonly ownScript: string | undefined;
  /** Whether loading the page anew would lose something that was typed or is shown once. */
  readonly isInUse: () => boolean;
  readonly reload: () => void;
  /** Remembers over a reload for which script it was done. */
  readonly remember: { readonly get: () => string | null; readonly set: (script: string) => void };
  readonly pause: (ms: number) => Promise<void>;
}

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
/** Tries after which a file that does not come from a server that answers will not come. */
const mostAnswered = 3;

export class LateFiles {
  state: LateState = "none";
  lastError: unknown;
  readonly #deps: LateDeps;
  readonly #listeners = new Set<() => void>();
  readonly #late = new Set<object>();
  #wake = Promise.withResolvers<void>();

  constructor(deps: LateDeps) {
    this.#deps = deps;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The server may be there again: everything that waits is asked for now. */
  readonly tryNow = (): void => {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  };

  /**
   * Asks for a late part of the page until it comes. While the server restarts there is nobody to ask, and a page that
   * stands must not fall over a menu. It ends with the page at the latest.
   */
  async load<Part>(load: () => Promise<Part>): Promise<Part> {
    const me = {};
    let answered = 0;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const part = await load();
        this.#late.delete(me);
        if (this.#late.size === 0) this.#show("none");
        return part;
      } catch (error) {
        this.lastError = error;
        this.#late.add(me);
        const served = await this.#deps.servedScript();
        if (served === undefined) this.#show("waiting");
        else if (served !== this.#deps.ownScript) this.#renew(served);
        else if ((answered += 1) >= mostAnswered) this.#show("stuck");
        await Promise.race([this.#deps.pause(pauseMs), this.#wake.promise]);
      }
    }
  }

  /** The files of another dashboard. Once for each: behind two servers that differ a page would be loaded for ever. */
  #renew(served: string): void {
    if (this.state === "updated") return;
    this.#show("updated");
    if (this.#deps.isInUse() || this.#deps.remember.get() === served) return;
    this.#deps.remember.set(served);
    this.#deps.reload();
  }

  #show(state: LateState): void {
    // An update stays one until the page is loaded anew.
    if (state === this.state || this.state === "updated") return;
    this.state = state;
    for (const listener of this.#listeners) listener();
  }
}
