import { writeFileSync } from "node:fs"; // breaks: features-touch-no-machine
export const writes = writeFileSync;
