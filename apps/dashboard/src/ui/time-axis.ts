const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Steps that people count time in; all begin with the day, in UTC. */
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 61, 122].map((count) => count * day),
];

export interface Tick {
  readonly at: number;
  readonly words: string;
}

/** Whole times under an axis, as many as have room: clock times, and the day where one begins. */
export function axisTicks(from: number, to: number, most: number): readonly Tick[] {
  const step = steps.find((each) => Math.floor(to / each) - Math.ceil(from / each) + 1 <= most) ?? 366 * day;
  const first = Math.ceil(from / step) * step;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({ length: count }, (_, at) => first + at * step).map((at) => ({
    at,
    words: at % day === 0 ? utcDay(at) : utcClock(at),
  }));
}

/** "03:12" */
export function utcClock(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}

/** "16 Nov" */
export function utcDay(at: number): string {
  return days.format(at);
}
const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** "03:12", with the day when that is another than today's. */
export function utcMoment(at: number, now: number): string {
  return Math.floor(at / day) === Math.floor(now / day) ? utcClock(at) : `${utcDay(at)}, ${utcClock(at)}`;
}

/** "02:12 to 03:12", with the days that are not today's, each once. */
export function utcStretch(from: number, to: number, now: number): string {
  const sameDay = Math.floor(from / day) === Math.floor(to / day);
  if (sameDay) return `${utcMoment(from, now)} to ${utcClock(to)}`;
  return `${utcDay(from)}, ${utcClock(from)} to ${utcDay(to)}, ${utcClock(to)}`;
}
