import { route } from "@gatehouse/contract";
export const audit = route;
