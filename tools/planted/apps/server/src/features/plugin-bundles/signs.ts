export const signs = () => import("@gatehouse/bundle/sign"); // breaks: server-never-signs
