import type { auditWitnessesRoute } from "@gatehouse/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { fetchApi } from "../../api/client.ts";

/** What one host holds of the log. It gets a head every minute, which is no change of anything: it is read while it is looked at. */
export const nodeWitnessQuery = (id: string) =>
  queryOptions({
    queryKey: ["audit-witnesses", "node", id],
    queryFn: async ({ signal }) => {
      const query = { cursor: idBefore(id), limit: "1" };
      const { items } = await fetchApi<typeof auditWitnessesRoute>("GET", "/api/audit/witnesses", { signal, query });
      // A node that is revoked is no witness, and the one behind it is another.
      return items.find(({ node }) => node === id) ?? null;
    },
    refetchInterval: 30_000,
  });

const letters = "0123456789abcdefghjkmnpqrstvwxyz";
const length = 26;

/** The list goes by ids and begins behind its cursor: behind the last id that could be before a node's, it begins with that node. */
export function idBefore(id: string): string | undefined {
  const places = Array.from(id.slice(-length), (letter) => letters.indexOf(letter));
  const borrows = places.findLastIndex((place) => place > 0);
  if (borrows < 0) return undefined;
  const before = places.map((place, at) => (at < borrows ? place : at === borrows ? place - 1 : letters.length - 1));
  return `${id.slice(0, -length)}${before.map((place) => letters[place]).join("")}`;
}
