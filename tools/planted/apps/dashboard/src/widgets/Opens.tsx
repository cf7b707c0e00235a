import { AuditPage } from "../pages/audit/AuditPage.tsx"; // breaks: dashboard-points-down
export const Opens = AuditPage;
