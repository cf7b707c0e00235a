import { get } from "node:http"; // breaks: helper-speaks-no-network
export const fetches = get;
