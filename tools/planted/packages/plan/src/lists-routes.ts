import type { rows } from "@gatehouse/contract/routes"; // breaks: names-build-no-schemas
export type Rows = typeof rows;
