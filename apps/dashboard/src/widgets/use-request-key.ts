import { useRef } from "react";

export interface RequestKey {
  /** The same wish gets the same key, so that sending it again after a lost answer makes nothing twice. */
  readonly of: (wish: unknown) => string;
  /** After a refusal nothing was made: the next attempt is a new one. */
  readonly forget: () => void;
}

/** An Idempotency-Key for a form. */
export function useRequestKey(): RequestKey {
  const last = useRef<{ wish: string; key: string }>(undefined);
  return {
    of: (wish) => {
      const text = JSON.stringify(wish);
      if (last.current?.wish !== text) last.current = { wish: text, key: randomKey() };
      return last.current.key;
    },
    forget: () => {
      last.current = undefined;
    },
  };
}

/** Not `randomUUID`: a browser has that on secure pages only, and a first look is often over plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
