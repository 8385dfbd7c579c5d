/** Calls back once after `milliseconds`, unless the function that it returns is called before. */
export type SetTimer = (callback: () => void, milliseconds: number) => () => void;

export const realTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

/** @throws the error that `late` makes, where the work takes longer than so many milliseconds; it goes on unheard */
export function withTimeout<T>(
  setTimer: SetTimer,
  milliseconds: number,
  work: Promise<T>,
  late: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = setTimer(() => reject(late()), milliseconds);
    work.then(resolve, reject).finally(cancel);
  });
}

export const pauseFor = (setTimer: SetTimer, milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimer(resolve, milliseconds));
