import { AuditPage } from "./pages/audit/AuditPage.tsx";
export const router = AuditPage;
