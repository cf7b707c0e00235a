/**
 * Vectors: makes the published bundles that any implementation can judge, from fixed seeds.
 * Never imported by the server: it signs.
 */
export {};
