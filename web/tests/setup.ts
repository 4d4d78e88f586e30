/** Before every file of tests: all languages are loaded. */

import { loadLanguage } from "../src/i18n";

await Promise.all([loadLanguage("fr"), loadLanguage("es")]);
