import { randomBytes } from 'node:crypto';
import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import packageJson from '../../../package.json' with { type: 'json' };
import type { RandomBytes } from '../../accounts/keys/key-format.ts';
import { createRequestIds } from '../../api/http/requests/request-ids.ts';
import { realTimer, type SetTimer } from '../../platform/async/timer.ts';
import { type BootClock, createBootClock } from '../../platform/clock/boot-clock.ts';

type Tell = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Where the course of things is told. */
export interface ServerLog {
  readonly info: Tell;
  readonly warn: Tell;
  readonly error: Tell;
}

/** Time, chance and ids: tests give their own, so that they can play any order of events. */
export interface Environment {
  /** The clock on the wall, in milliseconds. What serves goes by the clock of the ports, which may doubt it. */
  readonly now: () => number;
  readonly bootClock: BootClock;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** Of streams, and of what is looked at again later: a clock that never goes back, and its timers. */
  readonly pace: { readonly now: () => number; readonly setTimer: SetTimer };
  /** Calls back after so many milliseconds; 0: when whoever runs now is done. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** Resolves when what was written to this descriptor is on disk. */
  readonly flush: (descriptor: number) => Promise<void>;
  /** Nobody can answer for what this file holds: tells it in one line, and ends the process at once with 1. */
  readonly end: (file: string, error: unknown) => void;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  readonly randomBytes: RandomBytes;
  readonly newRequestId: () => string;
  /** Of the program. */
  readonly version: string;
  readonly logger: ServerLog;
}

/** @param end see `Environment`; absent: a line for people on standard error */
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
  process.stderr.write(`${endingText(file)}: ${(error as Error).message}\n`);
  process.exit(1);
}

/** Of the line that an end tells. */
export const endingText = (file: string): string => `${file} cannot be relied on, the process ends`;

function later(callback: () => void, milliseconds: number): void {
  if (milliseconds === 0) setImmediate(callback);
  else setTimeout(callback, milliseconds);
}

export const silentLog: ServerLog = { info() {}, warn() {}, error() {} };

/** A log that can also say why the process ends. */
export interface FatalLog extends ServerLog {
  readonly fatal: ServerLog['error'];
}
