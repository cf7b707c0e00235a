import { firewall } from "../operations/firewall/index.ts";
export const runTask = () => firewall;
