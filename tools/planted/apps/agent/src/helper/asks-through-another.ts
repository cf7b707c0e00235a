import { carrier } from "../status/carrier.ts"; // breaks: helper-speaks-no-network
export const asks = carrier;
