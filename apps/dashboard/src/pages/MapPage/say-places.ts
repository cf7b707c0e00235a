import { placeless as placelessWords, type Placeless } from "@gatehouse/contract";
import type { PlaceLookup } from "@gatehouse/contract/routes";
import { hourAndMinute } from "../../ui/relative-time.ts";
import type { JoinedPlaces, PlacelessNode } from "./join-places.ts";

type Counts = Pick<JoinedPlaces, "byHand" | "byLookup">;

/** How the places are known: "Places: 31 set by hand, 166 by address lookup at ipwho.is, last answered 03:00." */
export function sayPlaces({ byHand, byLookup }: Counts, { service, answeredAt }: PlaceLookup, now: number): string {
  const hand = `${number(byHand)} set by hand`;
  if (service === null) return `Places: ${hand}. Lookup is off; only places set by hand.`;
  const when = answeredAt === null ? "" : `, last answered ${hourAndMinute(Date.parse(answeredAt), now)}`;
  return `Places: ${hand}, ${number(byLookup)} by address lookup at ${service}${when}. Set by hand always wins.`;
}

/** What is still to come, and what went wrong; nothing where all is well. */
export function sayLookup({ service, waiting, trouble }: PlaceLookup): string | undefined {
  if (service === null) return undefined;
  const left =
    waiting === 0 ? "" : `${number(waiting)} ${waiting === 1 ? "address is" : "addresses are"} still to be looked up.`;
  const told = trouble === null ? "" : `The last question failed: ${trouble.replace(/\.$/, "")}.`;
  return [told, left].filter(Boolean).join(" ") || undefined;
}

export interface PlacelessGroup {
  readonly why: Placeless;
  readonly words: string;
  readonly nodes: readonly PlacelessNode["node"][];
}

/** Nodes without a place by the reason, in the order of the reasons. */
export function groupPlaceless(some: readonly PlacelessNode[]): readonly PlacelessGroup[] {
  const whys = Object.keys(placelessWords) as readonly Placeless[];
  return whys
    .map((why) => ({
      why,
      words: capital(placelessWords[why]),
      nodes: some.filter((one) => one.why === why).map(({ node }) => node),
    }))
    .filter(({ nodes }) => nodes.length > 0);
}

/** "3 hosts have no place: it has only addresses that lead nowhere from outside" would be wrong for five reasons at once. */
export function sayPlaceless(some: readonly PlacelessNode[]): string {
  return `${number(some.length)} ${some.length === 1 ? "host has" : "hosts have"} no place`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function number(count: number): string {
  return count.toLocaleString("en-GB");
}
