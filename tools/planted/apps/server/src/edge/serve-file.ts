import { createReadStream } from "node:fs"; // breaks: edge-touches-no-machine
export const serve = createReadStream;
