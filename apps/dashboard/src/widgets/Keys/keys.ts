/** What a press of a key means, when nobody is typing. */
export type KeyStep =
  | { readonly kind: "none" }
  /** `g` was pressed: the next key says where to. */
  | { readonly kind: "prefix" }
  | { readonly kind: "go"; readonly key: string }
  | { readonly kind: "palette" }
  | { readonly kind: "help" };

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** Whether the press went into something that takes text, or into an open dialog. */
  readonly isTyping: boolean;
}

/** `afterPrefix`: whether `g` was the press before, and not long ago. */
export function readKey(press: KeyPress, afterPrefix: boolean): KeyStep {
  const { key, ctrlKey, metaKey, altKey, isTyping } = press;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") return { kind: "palette" };
  if (ctrlKey || metaKey || altKey || isTyping) return { kind: "none" };
  if (afterPrefix && /^[a-z]$/.test(key)) return { kind: "go", key };
  if (key === "g") return { kind: "prefix" };
  if (key === "?") return { kind: "help" };
  return key === "/" ? { kind: "palette" } : { kind: "none" };
}
