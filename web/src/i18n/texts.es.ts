/** All texts in Spanish, as one file that is loaded when they are needed. */

export { es as messages } from "./es";
export * as rules from "./rules.es";
