import { compose } from "./compose.ts";
compose();
