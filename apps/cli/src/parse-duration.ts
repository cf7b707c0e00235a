import { UsageError } from "@gatehouse/command-line";

const units: Readonly<Record<string, number>> = { m: 60, h: 60 * 60, d: 24 * 60 * 60 };

export interface DurationRules {
  readonly option: string;
  readonly topic: string;
  /** Seconds. */
  readonly least: number;
  readonly most: number;
}

/** `30m`, `24h` or `7d` in seconds. Nothing is rounded or clamped: what is out of bounds is refused. */
export function parseDuration(text: string, { option, topic, least, most }: DurationRules): number {
  const [, number, unit = ""] = /^([1-9][0-9]{0,5})([mhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (units[unit] ?? Number.NaN);
  if (Number.isNaN(seconds)) {
    throw new UsageError(
      `${option} does not take ${JSON.stringify(text)}; write minutes, hours or days: 30m, 24h, 7d`,
      topic,
    );
  }
  if (seconds < least || seconds > most) {
    throw new UsageError(`${option} must be from ${inWords(least)} to ${inWords(most)}; found ${text}`, topic);
  }
  return seconds;
}

/** In the largest unit that fits. */
function inWords(seconds: number): string {
  const [unit = "m", size = 60] = Object.entries(units).findLast(([, each]) => seconds % each === 0) ?? [];
  return `${seconds / size}${unit}`;
}
