import { useEffect } from "react";
import { isApiError } from "../../api/api-error.ts";
import { tellOddity } from "../../perf/perf.ts";
import { Button } from "../../ui/Button.tsx";
import { ApiErrorView } from "../ApiErrorView/ApiErrorView.tsx";
import { usePageTitle } from "../PageTitle/page-title.ts";
import styles from "./CrashView.module.css";

/** What stands in the place of a page that could not be drawn. The rest of the dashboard goes on. */
export function CrashView({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  usePageTitle("Failed");
  useEffect(() => tellOddity("a page failed", error), [error]);
  return (
    <section className={styles.crash}>
      <h1>{isApiError(error) ? "This page could not be loaded" : "This page failed"}</h1>
      <ApiErrorView error={error} onRetry={retry} />
      <p>
        <Button look="bare" onClick={() => location.reload()}>
          Load the whole dashboard again
        </Button>
      </p>
    </section>
  );
}
