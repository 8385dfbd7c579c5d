import type { SetTimer } from './timer.ts';

/** @throws the error that `late` makes, where the work takes longer than so many milliseconds; it goes on unheard */
export function within<T>(setTimer: SetTimer, milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(() => reject(late()), milliseconds);
    work.then(resolve, reject).finally(cancel);
  });
}
