/** What a side of a match of soccer made; null where it is not told. Shots are all shots, those on target too. */
export interface Attempts {
  readonly shotsOnTarget: number | null;
  readonly shots: number | null;
  readonly corners: number | null;
}

/** What stands for a number that is not told: about the mean of a side. */
const TYPICAL = { offTarget: 8, corners: 5 };

/** Chances in units of a shot on target; null where these are not told. */
export function chancesOf({ shotsOnTarget, shots, corners }: Attempts): number | null {
  if (shotsOnTarget === null) return null;
  const offTarget = shots === null ? TYPICAL.offTarget : Math.max(0, shots - shotsOnTarget);
  return shotsOnTarget + 0.1 * offTarget + 0.15 * (corners ?? TYPICAL.corners);
}
