import { door } from "../helper/unix-door.ts";
export const helps = door;
