import type { Scope } from "@gatehouse/contract";

/** A page was asked for by somebody who may not use it. The address stays; the page says what is missing. */
export class MissingScope extends Error {
  override readonly name = "MissingScope";
  readonly scope: Scope;

  constructor(scope: Scope) {
    super(`the scope ${scope} is missing`);
    this.scope = scope;
  }
}
