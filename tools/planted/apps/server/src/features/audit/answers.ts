import { listen } from "../../edge/listen.ts"; // breaks: features-know-no-edge
export const answers = listen;
