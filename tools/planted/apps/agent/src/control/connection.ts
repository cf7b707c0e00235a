import { request } from "node:https";
export const connection = request;
