/** What is used of packages that bring no types of their own. */
declare module "topojson-client" {
  export function feature(topology: unknown, object: unknown): unknown;
}
declare module "d3-geo" {
  interface Projection {
    scale(pixels: number): Projection;
    translate(point: readonly [number, number]): Projection;
    precision(pixels: number): Projection;
  }
  export function geoEquirectangular(): Projection;
}
declare module "d3-geo-projection" {
  import type { Projection } from "d3-geo";
  export function geoProject(features: unknown, projection: Projection): unknown;
}
