/**
 * Vectors: makes the published bundles that any implementation can judge, from fixed seeds.
 * Never imported by the server: it signs.
 */
export { makeVectors, type VectorEntry, type VectorIndex, writeVectors } from "./make-vectors.ts";
export { plantVector } from "./plant.ts";
export type { PlantStep } from "./vector.ts";
export { vectorKeys } from "./vector-keys.ts";
