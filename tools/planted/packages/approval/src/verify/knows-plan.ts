import { plan } from "@gatehouse/plan"; // breaks: verdicts-import-keys-and-below
export const knows = plan;
