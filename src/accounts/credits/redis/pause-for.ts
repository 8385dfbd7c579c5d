import type { SetTimer } from '../../../time/timer.ts';

export const pauseFor = (setTimer: SetTimer, milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimer(resolve, milliseconds));
