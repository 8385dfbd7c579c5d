import type { Kysely } from 'kysely';
import type { Steps } from '../sqlite/query-runner.ts';
import type { WaitingMessage } from './identities.ts';
import type { IdentityTables } from './identity-tables.ts';
import { pieces } from './pieces.ts';

export function* forgetWaiting(db: Kysely<IdentityTables>, fingerprints: readonly string[]): Steps<void> {
  for (const piece of pieces(fingerprints)) {
    yield db.deleteFrom('waiting').where('fingerprint', 'in', piece);
    yield db.deleteFrom('waiting_keys').where('fingerprint', 'in', piece);
    yield db.deleteFrom('taken').where('fingerprint', 'in', piece);
  }
}

export const writeWaiting = (waiting: WaitingMessage): IdentityTables['waiting'] => ({
  fingerprint: waiting.fingerprint,
  message: JSON.stringify(waiting.message),
  reason: waiting.reason,
  received_at: waiting.receivedAt,
  awaited: JSON.stringify(waiting.keys),
  accepted: waiting.accepted ? 1 : 0,
});

export const readWaiting = (row: IdentityTables['waiting']): WaitingMessage => ({
  fingerprint: row.fingerprint,
  message: JSON.parse(row.message),
  reason: row.reason,
  receivedAt: row.received_at,
  keys: JSON.parse(row.awaited),
  accepted: row.accepted === 1,
});
