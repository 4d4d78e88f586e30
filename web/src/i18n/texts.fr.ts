/** All texts in French, as one file that is loaded when they are needed. */

export { fr as messages } from "./fr";
export * as rules from "./rules.fr";
