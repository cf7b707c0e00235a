export const sign = () => "signature";
