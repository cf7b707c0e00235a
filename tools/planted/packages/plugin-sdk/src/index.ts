import { route } from "@gatehouse/contract";
export const sdk = { route };
