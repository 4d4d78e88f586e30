import { mount } from "svelte";
import App from "./App.svelte";
import { loadLanguage } from "./i18n";
import { settings } from "./lib/storage.svelte";
import "./theme.css";
import "./app.css";
import "./table/sizes.css";

const isLoaded = loadLanguage(settings.language).catch(() => undefined); // English until it can be loaded
void isLoaded.then(() => {
  const target = document.getElementById("app") as HTMLElement;
  target.replaceChildren(); // what index.html shows until now
  mount(App, { target });
});

if (import.meta.env.PROD && "serviceWorker" in navigator)
  addEventListener("load", () => {
    navigator.serviceWorker.register("/service-worker.js").catch(() => undefined); // the page works without it
  });
