import { connect } from "node:net"; // breaks: helper-has-one-door
export const second = connect;
