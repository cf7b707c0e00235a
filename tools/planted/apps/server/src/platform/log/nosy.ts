import { audit } from "../../features/audit/index.ts"; // breaks: platform-points-down
export const nosy = audit;
