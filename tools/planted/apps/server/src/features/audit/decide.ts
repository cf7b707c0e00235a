export const decide = () => true;
