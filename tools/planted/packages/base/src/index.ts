export { clock } from "./clock.ts";
