import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  resolve: { conditions: ["browser"] }, // the client's runtime of Svelte, not the server's
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], pool: "vmThreads", css: true },
});
