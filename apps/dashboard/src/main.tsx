import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MissingScope } from "./api/missing-scope.ts";
import { queryClient } from "./api/query-client.ts";
import { router } from "./router.tsx";
import { lateFiles } from "./api/until-loaded.ts";
import { ProofDialogs } from "./widgets/Proof/ProofDialogs.tsx";

// A page that somebody may not use is an answer, not a failure.
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof MissingScope)) reportError(error);
};

// The first script does not wait for the end of the page.
if (document.readyState === "loading") {
  await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}
// Loaded before it is drawn: the first drawing is then the page, and not an empty place that is drawn again. A file that does
// not come is told of instead.
const isLate = new Promise<void>((resolve) => lateFiles.subscribe(resolve));
await Promise.race([router.load(), isLate]);

const place = document.querySelector("#root");
if (place === null) throw new Error("the page has no #root");
createRoot(place, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ProofDialogs />
    </QueryClientProvider>
  </StrictMode>,
);
