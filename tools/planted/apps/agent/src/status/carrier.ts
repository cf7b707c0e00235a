import { connection } from "../control/connection.ts";
export const carrier = connection;
