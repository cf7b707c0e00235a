export const fleet = [];
