import { shortTime } from "@gatehouse/command-line";
import type { ServerSettings } from "@gatehouse/contract/routes";

/** That all plans are stopped, with who and why. */
export function sayStop({ at, by, reason }: NonNullable<ServerSettings["plans"]["stopped"]>): string {
  return `All plans are stopped since ${shortTime(at)} by ${by}: ${reason}`;
}
