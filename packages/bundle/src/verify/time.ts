/** Milliseconds of a time written as 2027-01-01T00:00:00Z; undefined for any other spelling and for a day that does not exist. */
export function parseTime(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return undefined;
  const time = Date.parse(text);
  return !Number.isNaN(time) && writeTime(time) === text ? time : undefined;
}

export function writeTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
