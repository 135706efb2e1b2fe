/** Builds the inspector's page into dist/inspect/page: one page, one script, one style sheet, one worker. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** What is packed into the script, and must be shipped with its licence. */
const packed = ["preact", "@preact/signals", "@preact/signals-core", "uplot", "diff"];

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [licences()],
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

function licences(): Plugin {
  const textOf = (name: string) =>
    `${name}\n\n${readFileSync(join(import.meta.dirname, "../node_modules", name, "LICENSE"), "utf8")}`;
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "licences.txt", source: packed.map(textOf).join("\n\n") });
    },
  };
}
