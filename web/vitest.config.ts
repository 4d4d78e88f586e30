import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] }, // the client's runtime of Svelte, not the server's
  server: { fs: { allow: [".."] } }, // tests of drawings read the cards from the files of the games
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.ts"],
    setupFiles: ["tests/setup.ts"],
    pool: "vmThreads",
    css: true,
  },
});
