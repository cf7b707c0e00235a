export const alone = 1; // breaks: layer-unknown-orphan
