import { audit } from "../../api/audit.ts";
import { Chain } from "../../widgets/Chain.tsx";
export const AuditPage = () => [audit, Chain];
