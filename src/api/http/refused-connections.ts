import type { Server } from 'node:http';

/** So far apart are the lines about them. */
const TELL_MS = 10_000;

/**
 * Closes connections beyond so many at once, and tells of it from time to time: where the process runs out of
 * descriptors they would be lost without a word, and files could not be opened.
 * @param tell how many were closed since it was called last
 */
export function refuseConnections(
  server: Server,
  connections: number,
  tell: (closed: number) => void,
  milliseconds = TELL_MS,
): void {
  server.maxConnections = connections;
  let closed = 0;
  let timer: NodeJS.Timeout | undefined;
  const tellAll = () => {
    timer = undefined;
    if (closed === 0) return;
    tell(closed);
    closed = 0;
    timer = setTimeout(tellAll, milliseconds);
    timer.unref();
  };
  server.on('drop', () => {
    closed++;
    if (!timer) tellAll();
  });
  server.once('close', () => clearTimeout(timer));
}
