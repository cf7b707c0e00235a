import { route } from "../index.ts";
export const rows = [route];
