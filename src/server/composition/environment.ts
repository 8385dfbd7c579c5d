import { randomBytes } from 'node:crypto';
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import type { RandomBytes } from '../../accounts/keys/key-format.ts';
import { createRequestIds } from '../../api/http/requests/request-ids.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import { type BootClock, createBootClock } from '../../platform/clock/boot-clock.ts';
import { classifyDiskError, DAMAGE_ADVICE } from '../../platform/sqlite/disk-errors.ts';

type Tell = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The server's log. */
export interface ServerLog {
  readonly info: Tell;
  readonly warn: Tell;
  readonly error: Tell;
}

/** Time, randomness and ids. Tests pass their own, so that they can play any order of events. */
export interface Environment {
  /** The system's clock, in milliseconds. Serving code uses the clock of the ports instead, which may doubt this one. */
  readonly now: () => number;
  readonly bootClock: BootClock;
  /** Milliseconds of a monotonic clock. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** A monotonic clock and its timers, for streams and for polling. */
  readonly pace: { readonly now: () => number; readonly setTimer: SetTimer };
  /** Calls back after so many milliseconds; 0: after the code that runs now. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** Resolves when everything written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Logs one line and ends the process at once with 1, since nobody knows what this file holds. */
  readonly end: (file: string, error: unknown) => void;
  /** In [0, 1). */
  readonly random: () => number;
  readonly randomBytes: RandomBytes;
  readonly newRequestId: () => string;
  /** The program's version. */
  readonly version: string;
  readonly logger: ServerLog;
}

/** @param end see `Environment`; absent: prints a line to standard error */
export const realEnvironment = (logger: ServerLog, end: Environment['end'] = endWithLine): Environment => ({
  now: Date.now,
  bootClock: createBootClock(),
  steadyNow: () => performance.now(),
  setTimer: realTimer,
  pace: { now: () => performance.now(), setTimer: realTimer },
  later,
  flush: promisify(fdatasync),
  end,
  random: Math.random,
  randomBytes,
  newRequestId: createRequestIds(),
  version: packageJson.version,
  logger,
});

export function endWithLine(file: string, error: unknown): void {
  process.stderr.write(`${endingText(file, error)}: ${(error as Error).message}\n`);
  process.exit(1);
}

/** The line that is logged before the process ends. */
export const endingText = (file: string, error: unknown): string =>
  `${file} cannot be relied on, the process ends${classifyDiskError(error) === 'unreadable' ? `; ${DAMAGE_ADVICE}` : ''}`;

function later(callback: () => void, milliseconds: number): void {
  if (milliseconds === 0) setImmediate(callback);
  else setTimeout(callback, milliseconds);
}

export const silentLog: ServerLog = { info() {}, warn() {}, error() {} };

/** A log that can also say why the process ends. */
export interface FatalLog extends ServerLog {
  readonly fatal: ServerLog['error'];
}
