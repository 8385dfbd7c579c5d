import type { IncomingMessage } from 'node:http';
import type { LostTime } from './lost-time.ts';

/** Calls back when the body of a request is not there, whole, after so many milliseconds. */
export function cutLateBody(request: IncomingMessage, milliseconds: number, time: LostTime, cut: () => void): void {
  let waited = 0;
  let timer = setTimeout(look, milliseconds).unref();
  request.once('close', () => clearTimeout(timer));

  function look(): void {
    const lost = time.lost();
    if (request.complete) return;
    if (lost > waited) {
      // For as long as nobody has read what came.
      timer = setTimeout(look, lost - waited).unref();
      waited = lost;
    } else cut();
  }
}
