import { capabilities } from "@gatehouse/contract";
import { marketplaceRoute } from "@gatehouse/contract/routes";
import { type Route, route } from "../../platform/route/index.ts";
import type { MarketplaceItem } from "./parse-marketplace.ts";

export interface MarketplaceRoutesDeps {
  /** Sorted by id. */
  readonly items: readonly MarketplaceItem[];
  /** Whether a bundle of this id was loaded at the last start. */
  readonly isPlaced: (id: string) => boolean;
}

/** Metadata and a way to read it. There is no other route here: bundles are placed by people (contract 1). */
export function marketplaceRoutes({ items, isPlaced }: MarketplaceRoutesDeps): readonly Route[] {
  return [
    route(marketplaceRoute, ({ query }) => {
      const limit = Number(query.limit ?? 100);
      const { cursor = "" } = query;
      const found = items.filter(({ id }) => id > cursor).slice(0, limit + 1);
      const page = found.slice(0, limit);
      return {
        items: page.map((item) => ({
          id: item.id,
          name: item.name,
          publisher: item.publisher,
          version: item.version,
          summary: item.summary,
          homepage: item.homepage ?? null,
          capabilities: item.capabilities.map((name) => ({ name, risk: capabilities[name].risk })),
          artifactSha256: item.artifactSha256 ?? null,
          placed: isPlaced(item.id),
          steps: stepsFor(item),
        })),
        nextCursor: found.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    }),
  ];
}

function stepsFor({ id, version, publisher, artifactSha256 }: MarketplaceItem): string[] {
  const digest = artifactSha256 === undefined ? "the digest the publisher gives you" : artifactSha256;
  return [
    `Get the bundle ${id} ${version} from its publisher, ${publisher}. Gatehouse downloads nothing.`,
    `Make sure that the trust policy names ${publisher} with the publisher's public key.`,
    `Judge it where it lies by that file: gatehouse plugin verify ${id} --trust FILE; compare its artifact with ${digest}.`,
    `Place it as ${id}/ in the plugin directory, with manifest.json and artifact, and restart the server.`,
    `Accept it and then activate it under Plugins. Neither changes a host.`,
  ];
}
