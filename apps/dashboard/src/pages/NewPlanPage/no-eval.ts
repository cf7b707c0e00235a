import { config } from "zod";

// The policy of the page forbids code that is made at run time, and a browser reports who tries: schemas must not.
config({ jitless: true });
