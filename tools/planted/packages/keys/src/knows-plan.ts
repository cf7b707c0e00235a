import { plan } from "@gatehouse/plan"; // breaks: keys-import-base-and-contract
export const knows = plan;
