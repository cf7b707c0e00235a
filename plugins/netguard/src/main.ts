import { runPlugin } from "@gatehouse/plugin-sdk";
import { netguard } from "./netguard.ts";

runPlugin(netguard);
