import { ring } from "./ring.ts";
export const bus = ring;
