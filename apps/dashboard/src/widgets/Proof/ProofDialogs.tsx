export function ProofDialogs() {
  return null;
}
