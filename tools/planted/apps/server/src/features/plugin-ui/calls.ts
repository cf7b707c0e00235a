export { broker } from "../plugin-broker/index.ts"; // breaks: feature-edges-plugin-ui
