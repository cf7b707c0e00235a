import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** Sources of our packages do nothing when they are merely imported: schemas the page does not use stay out of it. */
const declaresOnly = /\/packages\/(base|contract)\/src\//;

/** Names are plain here; `tools/build/site-files.ts` gives each file the hash of its bytes (contract 4.1). */
const plainName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9.-]+/g, "-")
    .replaceAll(/^[.-]+/g, "")
    .toLowerCase();

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  css: { modules: { generateScopedName: "[name]__[local]__[hash:base64:5]" } },
  build: {
    target: "es2023",
    // A data: address would need a looser policy for fonts and could not be kept by the browser.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: (id) => !declaresOnly.test(id),
        // A page that uses a table of the contract does not need the schemas, and with them zod, beside it.
        manualPureFunctions: ["z", "idOf", "listOf", "limitOf", "visibleText"],
      },
      output: {
        entryFileNames: ({ name }) => `assets/${plainName(name)}.js`,
        chunkFileNames: ({ name }) => `assets/${plainName(name)}.js`,
        assetFileNames: ({ names }) => `assets/${plainName(names[0] ?? "asset")}`,
      },
    },
  },
});
