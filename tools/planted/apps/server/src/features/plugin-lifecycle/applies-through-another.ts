import { carrier } from "./carrier.ts"; // breaks: activation-changes-no-host
export const applied = carrier;
