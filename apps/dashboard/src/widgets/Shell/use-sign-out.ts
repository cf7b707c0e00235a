import { useNavigate } from "@tanstack/react-router";
import { signOut } from "../../api/auth.ts";
import { isApiError } from "../../api/api-error.ts";
import { toast } from "../../ui/toast-store.ts";

/** Ends the session and leads to the sign-in page. A session that is over already is as good as ended. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  return () => {
    signOut()
      .catch((error: unknown) => {
        if (!isApiError(error) || error.status !== 401) throw error;
      })
      .then(() => navigate({ to: "/login" }))
      .catch((error: unknown) => {
        const why = isApiError(error) ? error.detail : String(error);
        toast(`You are still signed in: ${why}`, { state: "bad" });
      });
  };
}
