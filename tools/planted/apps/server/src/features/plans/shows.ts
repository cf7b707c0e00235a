import { ui } from "../plugin-ui/index.ts"; // breaks: feature-edges-plans
export const shows = ui;
