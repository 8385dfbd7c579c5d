/** Calls back once after `milliseconds`, unless the function that it returns is called before. */
export type SetTimer = (callback: () => void, milliseconds: number) => () => void;

export const realTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
};
