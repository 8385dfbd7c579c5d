import type { WaitingMessage } from './identities.ts';

/** A message that waits, as `waiting` holds it. */
export interface WaitingRow {
  fingerprint: string;
  message: string;
  reason: string;
  received_at: string;
  awaited: string;
  accepted: number;
  sparing: number | null;
}

export const writeWaiting = (waiting: WaitingMessage): WaitingRow => ({
  fingerprint: waiting.fingerprint,
  message: JSON.stringify(waiting.message),
  reason: waiting.reason,
  received_at: waiting.receivedAt,
  awaited: JSON.stringify(waiting.keys),
  accepted: waiting.accepted ? 1 : 0,
  sparing: waiting.sparing ?? null,
});

export const readWaiting = (row: WaitingRow): WaitingMessage => ({
  fingerprint: row.fingerprint,
  message: JSON.parse(row.message),
  reason: row.reason,
  receivedAt: row.received_at,
  keys: JSON.parse(row.awaited),
  accepted: row.accepted === 1,
  ...(row.sparing == null ? {} : { sparing: row.sparing }),
});
