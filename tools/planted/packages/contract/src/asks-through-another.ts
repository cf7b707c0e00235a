import { carried } from "./names/carrier.ts"; // breaks: names-build-no-schemas
export const asked = carried;
