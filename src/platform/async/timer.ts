/** Calls back once after `milliseconds`, unless the returned function is called before. */
export type SetTimer = (callback: () => void, milliseconds: number) => () => void;

export const realTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};

/** @throws the error of `late` if the work takes longer; the work continues, and its result is ignored */
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
