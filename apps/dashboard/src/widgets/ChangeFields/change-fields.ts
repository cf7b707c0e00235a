import type { ChangeFaults, HostChange } from "./host-change.ts";

export interface ChangeFieldsProps<Change extends HostChange> {
  readonly change: Change;
  /** Empty until somebody has tried: nobody is corrected while still typing. */
  readonly wrong: ChangeFaults;
  /** What the ceilings of the hosts name for changes of this kind. */
  readonly named: readonly string[];
  readonly onChange: (change: Change) => void;
}

export const asTyped = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

const mostNamed = 4;

/** What root of the hosts allows, or an example where nobody has said. */
export function namedHint(named: readonly string[], example: string): string {
  if (named.length === 0) return `Such as ${example}.`;
  const shown = named.slice(0, mostNamed).join(", ");
  return `The ceiling names ${shown}${named.length > mostNamed ? ` and ${named.length - mostNamed} more` : ""}.`;
}
