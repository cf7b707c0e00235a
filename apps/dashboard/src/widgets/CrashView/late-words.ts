import type { LateState } from "../../api/late-files.ts";

export const lateWords: Readonly<
  Record<Exclude<LateState, "none">, { readonly title: string; readonly says: string }>
> = {
  waiting: {
    title: "Waiting for the server",
    says: "This page was not loaded yet, and the server does not answer. It comes by itself as soon as the server does.",
  },
  updated: {
    title: "Gatehouse was updated.",
    says: "This page is of the version before. Loading it again loses what is typed and not yet sent.",
  },
  stuck: {
    title: "A part of this page does not come.",
    says: "The server answers, but the browser does not load the part. Loading the page again helps.",
  },
};
