/**
 * Marketplace: shows which plugins exist, from a metadata file of the operator, and how to place one by hand.
 * Never downloads, installs or recommends anything: an entry is words, and gives a bundle no trust.
 */
export { type MarketplaceDeps, openMarketplace } from "./open-marketplace.ts";
export { type MarketplaceRoutesDeps, marketplaceRoutes } from "./routes.ts";
