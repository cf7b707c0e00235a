import { plan } from "@gatehouse/plan"; // breaks: server-never-signs
export const signsToo = plan;
