import { route } from "@gatehouse/contract";
export const config = { route };
