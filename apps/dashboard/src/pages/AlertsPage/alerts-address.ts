const views = ["open", "silences", "rules"] as const;
export type View = (typeof views)[number];

/** What is open over the page: an alert that is acknowledged, a silence that begins, a rule that is changed; or a `new` one. */
export interface Opened {
  readonly act: (typeof acts)[number];
  readonly id: string;
}

const acts = ["acknowledge", "silence", "edit"] as const;

export function readView(search: Readonly<Record<string, unknown>>): View {
  return views.find((view) => view === search["view"]) ?? "open";
}

export function viewHref(view: View): string {
  return view === "open" ? "/alerts" : `/alerts?view=${view}`;
}

/** The first that the address names. */
export function readOpened(search: Readonly<Record<string, unknown>>): Opened | undefined {
  for (const act of acts) {
    const id = search[act];
    if (typeof id === "string" && id !== "") return { act, id };
  }
  return undefined;
}
