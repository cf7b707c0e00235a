import { parseAddress } from "@gatehouse/contract";
import { judgeAddress } from "../../platform/egress/index.ts";

/** The one way to write an address that leads somewhere from outside; undefined for every other text. */
export function publicAddress(text: string): string | undefined {
  if (judgeAddress(text) !== undefined) return undefined;
  if (parseAddress(text)?.length === 4) return text;
  return URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
}
