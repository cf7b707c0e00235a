export const broker = [];
