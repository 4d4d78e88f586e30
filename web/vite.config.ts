import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, loadEnv, type Plugin } from "vite";

/** Add the service worker, with the list of files that make up the page. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const assets = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !name.includes("latin-ext"));
      const files = ["/", "/icon.svg", ...assets.sort().map((name) => `/${name}`)];
      const code = readFileSync("service-worker.js", "utf-8");
      const page = readFileSync("index.html", "utf-8");
      const version = createHash("sha256").update(JSON.stringify(files)).update(code).update(page).digest("hex");
      const constants = { VERSION: version.slice(0, 12), FILES: files };
      const lines = Object.entries(constants).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
      const source = lines.join("") + code;
      this.emitFile({ type: "asset", fileName: "service-worker.js", source });
    },
  };
}

export default defineConfig(({ mode }) => {
  const { PARURE_SERVER = "http://localhost:8000" } = loadEnv(mode, ".", "PARURE_");
  return {
    plugins: [svelte(), serviceWorker()],
    build: {
      outDir: "../src/parure/server/static",
      emptyOutDir: true,
      assetsInlineLimit: 0, // the page's content security policy forbids data: fonts
      modulePreload: { polyfill: false },
    },
    server: {
      // the server compares the headers Origin and Host: pass the browser's on
      proxy: { "/api": { target: PARURE_SERVER, ws: true, changeOrigin: false } },
    },
  };
});
