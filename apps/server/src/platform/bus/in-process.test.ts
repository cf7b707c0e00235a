import { busCases } from "./bus-cases.ts";
import { inProcessBus } from "./in-process.ts";

busCases("in-process", inProcessBus);
