import { rows } from "../routes/index.ts";
export const carried = rows;
