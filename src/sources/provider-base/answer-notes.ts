import type { ProviderAnswer } from './provider.ts';

/** Games that an answer shows as not begun: no message says so, since nothing is known of their play. */
const notStarted = new WeakMap<object, Set<string>>();
/** Answers of which something was held back. */
const heldAnswers = new WeakSet<object>();

/** Answers that list as many games as were asked for: there may be more. */
const fullAnswers = new WeakSet<object>();

export function noteNotStarted(answer: ProviderAnswer, ref: string): void {
  const refs = notStarted.get(answer) ?? new Set();
  notStarted.set(answer, refs.add(ref));
}

export const notStartedIn = (answer: ProviderAnswer): ReadonlySet<string> => notStarted.get(answer) ?? new Set();

export const noteHeld = (answer: ProviderAnswer): void => void heldAnswers.add(answer);

/** Whether something of this answer was held back: another answer soon decides about it. */
export const isHeld = (answer: ProviderAnswer): boolean => heldAnswers.has(answer);

export const noteFull = (answer: ProviderAnswer): void => void fullAnswers.add(answer);

export const isFull = (answer: ProviderAnswer): boolean => fullAnswers.has(answer);
