import { door } from "../helper/serve-helper.ts";
export const helps = door;
