import { fractionAt, type TimeAxis, timeAt } from './time-axis.ts';

/** The slider's steps along the time axis. Its last one is now, whenever that is. */
export const STEPS = 400;

/** The moment that a value stands for; null for now. */
export const momentOf = (axis: TimeAxis, value: number): number | null =>
  value >= STEPS ? null : timeAt(axis, value / STEPS);

export const stepOf = (axis: TimeAxis, moment: number | null): number =>
  moment === null ? STEPS : Math.min(STEPS - 1, Math.round(fractionAt(axis, moment) * STEPS));

/** The nearest change before or after a moment. After the last one comes now; before the first one, nothing. */
export function neighbour(changes: readonly number[], moment: number | null, step: 'before' | 'after'): number | null {
  if (step === 'after') return moment === null ? null : (changes.find((at) => at > moment) ?? null);
  const earlier = moment === null ? changes : changes.filter((at) => at < moment);
  return earlier.at(-1) ?? moment;
}

/** Moments in order, each once. */
export const changesOf = (...lists: readonly (readonly { readonly at: number }[])[]): number[] =>
  [...new Set(lists.flatMap((list) => list.map(({ at }) => at)))].sort((a, b) => a - b);
