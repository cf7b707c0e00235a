import { parseStrictJson } from "@gatehouse/base";

/** The timer and its unit, as systemd has them; what it did not say is undefined. Microseconds of the manager's clock. */
export interface FoundTimer {
  readonly state: string | undefined;
  readonly startedUs: number | undefined;
  readonly elapsesUs: number | undefined;
  readonly serviceLoad: string | undefined;
  readonly command: readonly string[] | undefined;
}

/** Beyond this a timer is not the one that was asked for. */
const toleranceUs = 1_000_000;

/** Why the unit is not ours or not ready, whatever its time is. */
export function findUnitFlaw(found: FoundTimer, command: readonly string[]): string | undefined {
  if (found.state !== "active") return `expected an active timer, found ${found.state ?? "none"}`;
  if (found.serviceLoad !== "loaded") return `expected a loaded unit, found ${found.serviceLoad ?? "none"}`;
  if (found.command === undefined || !isSameCommand(found.command, command)) {
    return `expected "${command.join(" ")}", found "${found.command?.join(" ") ?? ""}"`;
  }
  return undefined;
}

/** Why the timer does not end when it should. */
export function findTimeFlaw({ startedUs, elapsesUs }: FoundTimer, windowSeconds: number): string | undefined {
  if (startedUs === undefined || elapsesUs === undefined) {
    return `expected an end after ${windowSeconds} s, found none`;
  }
  const foundUs = elapsesUs - startedUs;
  if (Math.abs(foundUs - windowSeconds * 1_000_000) <= toleranceUs) return undefined;
  return `expected an end after ${windowSeconds} s, found ${(foundUs / 1_000_000).toFixed(2)} s`;
}

export function isSameCommand(found: readonly string[], wanted: readonly string[]): boolean {
  return found.length === wanted.length && found.every((word, index) => word === wanted[index]);
}

/** What `busctl --json=short get-property` printed: a value on each line, in the order they were asked for. */
export function readBusValues(stdout: string): unknown[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => {
      const json = parseStrictJson(line);
      return json.ok ? (json.value as { readonly data?: unknown } | null)?.data : undefined;
    });
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Of a time that never comes systemd says the greatest number that it has. */
export function microsecondsOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** The words of the only command that a service starts; undefined where there is none or another form. */
export function commandOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length !== 1 || !Array.isArray(value[0])) return undefined;
  const words: unknown = (value[0] as readonly unknown[])[1];
  return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : undefined;
}
