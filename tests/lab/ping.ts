import { stopMs } from "../support/stopped.ts";

/** Words for `ping`: asks five times a second and ends with the first answer; the limit only stops it. */
export function answeredOnce(address: string): string[] {
  return ["-c", "1", "-i", "0.2", "-w", String(stopMs / 1_000), address];
}
