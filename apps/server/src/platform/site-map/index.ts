/**
 * Site map: every static file the server can answer with, held in memory under names made at build time.
 * Never joins a request's path to a folder, and never reads a file after the start.
 */
export { loadSiteMap, type SiteFile, type SiteMap } from "./load-site-map.ts";
export { assetName, mapFileName, type SiteEntry, type SiteMapFile } from "./map-format.ts";
