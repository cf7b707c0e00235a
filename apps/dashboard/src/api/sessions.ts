import type { Session } from "@gatehouse/contract";
import { listPages } from "./list-pages.ts";

/** One's own sessions. */
export const sessionPages = listPages<Session>({ key: ["sessions"], path: "/api/auth/sessions", limit: 100 });
