import { connect } from "node:net";
export const askHelper = connect;
