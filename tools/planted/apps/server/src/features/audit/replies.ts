import fastify from "fastify"; // breaks: only-edge-speaks-http
export const replies = fastify;
