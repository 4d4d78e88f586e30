import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, loadEnv } from "vite";

export default defineConfig(({ mode }) => {
  const { PARURE_SERVER = "http://localhost:8000" } = loadEnv(mode, ".", "PARURE_");
  return {
    plugins: [svelte()],
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
