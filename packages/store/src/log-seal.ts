import { createHmac, timingSafeEqual } from "node:crypto";
import type { MasterKey } from "./master-key.ts";

/**
 * What a group of the log carries beside its link. Anybody can compute a link, and so a chain of their own; a seal only
 * whoever has the master key. A link binds everything before it, so a seal over the link binds it too.
 */
export interface LogSeal {
  of(link: string): string;
  fits(link: string, seal: string): boolean;
}

const domain = "gatehouse-audit-seal-v1\n";

export function openLogSeal(key: Pick<MasterKey, "subkey">): LogSeal {
  const subkey = key.subkey("log-seal");
  const digest = (link: string) => createHmac("sha256", subkey).update(`${domain}${link}`).digest();
  return {
    of: (link) => digest(link).toString("hex"),
    fits: (link, seal) => timingSafeEqual(digest(link), Buffer.from(seal, "hex")),
  };
}
