/**
 * Welch's t of two arms; beyond 4.5 either way they are told apart. The slowest twentieth of both together is left out
 * first: it is the machine's doing, and would hide a difference.
 */
export function welch(one: readonly number[], two: readonly number[]): number {
  const all = [...one, ...two].sort((a, b) => a - b);
  const limit = all[Math.floor(all.length * 0.95)] ?? Infinity;
  const [a, b] = [moments(one, limit), moments(two, limit)];
  const error = Math.sqrt(a.variance / a.size + b.variance / b.size);
  return error === 0 ? 0 : (a.mean - b.mean) / error;
}

export const toldApart = 4.5;

function moments(values: readonly number[], limit: number) {
  const kept = values.filter((value) => value <= limit);
  const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
  const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
  return { mean, variance, size: kept.length };
}
