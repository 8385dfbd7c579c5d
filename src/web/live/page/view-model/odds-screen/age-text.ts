const STEPS: readonly (readonly [seconds: number, letter: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
];

/** How long ago something was: `12s`, `4m`, `3h`, `2d`. */
export function ageText(at: string | number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - new Date(at).getTime()) / 1000));
  const [size, letter] = STEPS.find(([step]) => seconds >= step) ?? [1, 's'];
  return `${Math.floor(seconds / size)}${letter}`;
}
