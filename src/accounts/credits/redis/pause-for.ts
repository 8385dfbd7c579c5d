import type { SetTimer } from '../../../platform/time/timer.ts';

export const pauseFor = (setTimer: SetTimer, milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimer(resolve, milliseconds));
