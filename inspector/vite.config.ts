/** Builds the inspector's page into dist/inspect/page: one page, one script, one style sheet, one worker. */
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "../dist/inspect/page",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: "page.js",
        assetFileNames: "page[extname]",
      },
    },
  },
  worker: {
    format: "es",
    rolldownOptions: { output: { entryFileNames: "worker.js" } },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
