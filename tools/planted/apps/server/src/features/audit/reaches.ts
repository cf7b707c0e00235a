import { ring } from "../../platform/bus/ring.ts"; // breaks: door-inside
export const reaches = ring;
