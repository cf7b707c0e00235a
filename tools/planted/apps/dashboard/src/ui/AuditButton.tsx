import { audit } from "../api/audit.ts"; // breaks: ui-knows-no-product
export const AuditButton = audit;
