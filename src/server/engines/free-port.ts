import { createServer } from 'node:net';

const LOWEST = 20_000;
/** The system hands out ports above this one by itself, so a free one may be taken in a moment. */
const HIGHEST = 32_767;
const TRIES = 50;

/** A free port of 127.0.0.1. @param random in [0, 1) */
export async function freePort(random: () => number = Math.random): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = LOWEST + Math.floor(random() * (HIGHEST - LOWEST + 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port found between ${LOWEST} and ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
