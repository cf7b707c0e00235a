export const ring = [];
