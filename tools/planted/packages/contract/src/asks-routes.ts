import { rows } from "./routes/index.ts"; // breaks: names-build-no-schemas
export const asked = rows;
