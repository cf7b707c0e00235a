/**
 * Takes clock and chance away from the process, for the action `plan`: the same question must give the same bytes, and a plan that
 * looks at the time breaks that promise only on some days. Whoever asks gets an error that says so.
 */
export function sealWorld(world: SealableWorld = globalThis): void {
  const refuse = (what: string) => (): never => {
    throw new Error(`${what} is not there while a plan is drawn up: a plan is a function of its question alone`);
  };
  const Real = world.Date;
  // A date that is made from a value is as good as the value; only "now" is refused.
  const Sealed = new Proxy(Real, {
    construct: (target, values: unknown[]) =>
      values.length === 0 ? refuse("new Date()")() : (Reflect.construct(target, values) as Date),
    apply: refuse("Date()"),
    get: (target, name, receiver) => (name === "now" ? refuse("Date.now()") : Reflect.get(target, name, receiver)),
  });
  Object.defineProperty(world, "Date", { value: Sealed, configurable: true, writable: true });
  Object.defineProperty(world.Math, "random", { value: refuse("Math.random()"), configurable: true });
  Object.defineProperty(world.performance, "now", { value: refuse("performance.now()"), configurable: true });
  for (const name of ["getRandomValues", "randomUUID"] as const) {
    Object.defineProperty(world.crypto, name, { value: refuse(`crypto.${name}()`), configurable: true });
  }
}

export interface SealableWorld {
  Date: DateConstructor;
  readonly Math: { random: () => number };
  readonly performance: { now: () => number };
  readonly crypto: object;
}
