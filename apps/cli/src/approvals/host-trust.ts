import { parseTrust, type Trust } from "@gatehouse/approval/verify";
import { isFault } from "@gatehouse/contract";
import { trustState, trustSubject } from "@gatehouse/plan";
import type { HostWord } from "../plans/check-states.ts";

/** How a host lets changes be approved, in its own signed words. */
export type HostTrust =
  | { readonly accepts: "signed"; readonly trust: Trust }
  | { readonly accepts: "server" }
  | { readonly accepts: "none" }
  | { readonly accepts: "unsaid"; readonly why: string }
  /** It said something that cannot be believed. */
  | { readonly accepts: "unsound"; readonly why: string };

/** Reads it from what the host signed. What the server says of it beside that is never enough. */
export function readHostTrust(host: HostWord | null): HostTrust {
  const [told, again] = host?.states.filter(({ subject }) => subject === trustSubject) ?? [];
  if (told === undefined) return { accepts: "unsaid", why: "it signed nothing about whom it believes" };
  const read = trustState.safeParse(told.state);
  if (again !== undefined || !read.success) {
    return { accepts: "unsound", why: "what it signed about whom it believes cannot be read here" };
  }
  const { accepts, trust } = read.data;
  if (accepts !== "signed") return { accepts };
  if (trust === null) return { accepts: "unsound", why: "it has no trust file that can be believed" };
  try {
    return { accepts, trust: parseTrust(Uint8Array.fromBase64(trust)) };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { accepts: "unsound", why: `its trust file is not sound: ${error.code}: ${error.detail}` };
  }
}
