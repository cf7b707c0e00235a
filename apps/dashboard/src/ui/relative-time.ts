const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "14 min ago", "in 2 h"; "now" within ten seconds; a date once a count of days says nothing any more. */
export function relativeTime(at: number, now: number): string {
  const gap = Math.abs(now - at);
  if (Number.isNaN(gap)) return "unknown";
  if (gap < 10 * second) return "now";
  if (gap >= 45 * day) return dateWords(at, now);
  const words = spanWords(gap);
  return at > now ? `in ${words}` : `${words} ago`;
}

/** A length of time in its largest whole unit: "47 min", "21 h". It never rounds up, so nothing looks older than it is. */
export function spanWords(length: number): string {
  const gap = Math.max(0, length);
  if (gap < minute) return `${Math.floor(gap / second)} s`;
  if (gap < hour) return `${Math.floor(gap / minute)} min`;
  if (gap < 2 * day) return `${Math.floor(gap / hour)} h`;
  return `${Math.floor(gap / day)} d`;
}

/** A time to write into a log: in UTC, to the second, then in the reader's own zone if that differs. */
export function absoluteTime(at: number, zone?: string): string {
  if (Number.isNaN(at)) return "unknown";
  const utc = `${clock(at, "UTC")} UTC`;
  const local = clock(at, zone);
  return utc.startsWith(local) ? utc : `${utc} (${local} here)`;
}

/** "03:12" in the reader's zone, with the day when that is another than today's. */
export function hourAndMinute(at: number, now: number, zone?: string): string {
  const of = (format: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", zone === undefined ? format : { ...format, timeZone: zone });
  const day = of({ day: "numeric", month: "short" });
  const time = of({ hour: "2-digit", minute: "2-digit" }).format(at);
  return day.format(at) === day.format(now) ? time : `${day.format(at)}, ${time}`;
}

function dateWords(at: number, now: number): string {
  const sameYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (sameYear ? dayMonth : dayMonthYear).format(at);
}

// A formatter costs far more to make than to use, and a long table shows hundreds of times.
const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dayMonthYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const clocks = new Map<string | undefined, Intl.DateTimeFormat>();

function clock(at: number, timeZone: string | undefined): string {
  let format = clocks.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      ...(timeZone === undefined ? {} : { timeZone }),
    });
    clocks.set(timeZone, format);
  }
  return format.format(at);
}
