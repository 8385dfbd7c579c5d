/** Solves `matrix * x = vector` for a positive definite matrix, by elimination. */
export function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, vector[i]!]);
  const last = vector.length;
  for (const [i, pivot] of rows.entries()) {
    for (const row of rows.slice(i + 1)) {
      const factor = row[i]! / pivot[i]!;
      for (let k = i; k <= last; k++) row[k]! -= factor * pivot[k]!;
    }
  }
  const x = vector.map(() => 0);
  for (let i = last - 1; i >= 0; i--) {
    let sum = rows[i]![last]!;
    for (let k = i + 1; k < last; k++) sum -= rows[i]![k]! * x[k]!;
    x[i] = sum / rows[i]![i]!;
  }
  return x;
}
