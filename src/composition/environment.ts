import { randomBytes } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import type { RandomBytes } from '../accounts/keys/key-format.ts';
import { createRequestIds } from '../http/request-ids.ts';
import { realTimer, type SetTimer } from '../time/timer.ts';

type Tell = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Where the course of things is told. */
export interface ServerLog {
  readonly info: Tell;
  readonly warn: Tell;
  readonly error: Tell;
}

/** Time, chance and ids: tests give their own, so that they can play any order of events. */
export interface Environment {
  /** Milliseconds. */
  readonly now: () => number;
  /** Milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  readonly setTimer: SetTimer;
  /** Of streams, and of what is looked at again later: a clock that never goes back, and its timers. */
  readonly pace: { readonly now: () => number; readonly setTimer: SetTimer };
  /** Calls back after so many milliseconds; 0: when whoever runs now is done. */
  readonly later: (callback: () => void, milliseconds: number) => void;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
  readonly randomBytes: RandomBytes;
  readonly newRequestId: () => string;
  /** Of the program. */
  readonly version: string;
  readonly logger: ServerLog;
}

export const realEnvironment = (logger: ServerLog): Environment => ({
  now: Date.now,
  steadyNow: () => performance.now(),
  setTimer: realTimer,
  pace: { now: () => performance.now(), setTimer: realTimer },
  later,
  random: Math.random,
  randomBytes,
  newRequestId: createRequestIds(),
  version: packageJson.version,
  logger,
});

function later(callback: () => void, milliseconds: number): void {
  if (milliseconds === 0) setImmediate(callback);
  else setTimeout(callback, milliseconds);
}

export const silentLog: ServerLog = { info() {}, warn() {}, error() {} };
