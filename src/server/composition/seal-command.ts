import { execFile } from 'node:child_process';
import type { Seal } from '../../domain/proof/seal.ts';

/** How long the command may run: milliseconds. Then it is killed. */
const TIMEOUT = 60_000;
/** Bytes of its output; with more it is killed. */
const MAX_OUTPUT = 64 * 1024;

/**
 * Runs the operator's program with the date and the root of a seal as arguments, without a shell. The environment has
 * `PATH`, `HOME` and `SEAL`, the whole seal as JSON, and nothing of the server's secrets.
 * @returns a function that rejects if the program cannot be run, fails or takes too long
 */
export const createSealCommand =
  (command: string, environment: Readonly<Record<string, string | undefined>>) =>
  (seal: Seal): Promise<void> =>
    new Promise((resolve, reject) => {
      const { PATH, HOME } = environment;
      const env = {
        ...(PATH !== undefined && { PATH }),
        ...(HOME !== undefined && { HOME }),
        SEAL: JSON.stringify(seal),
      };
      const options = { env, timeout: TIMEOUT, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT } as const;
      execFile(command, [seal.date, seal.root], options, (error) => (error ? reject(error) : resolve()));
    });
