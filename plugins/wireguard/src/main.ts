import { runPlugin } from "@gatehouse/plugin-sdk";
import { wireguard } from "./wireguard.ts";

runPlugin(wireguard);
