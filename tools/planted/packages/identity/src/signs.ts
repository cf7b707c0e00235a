import { plan } from "@gatehouse/plan"; // breaks: identity-imports-store-and-below
export const signs = plan;
