import { request } from "node:https";
import { askHelper } from "../local/ask-helper.ts";
export const connection = [request, askHelper];
