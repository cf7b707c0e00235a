import { route } from "@gatehouse/contract"; // breaks: base-imports-nothing
export const known = route;
