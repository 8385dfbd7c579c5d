import { expect } from 'vitest';
import type {
  EntityKind,
  Identities,
  QuarantineClaim,
  QuarantinedMessage,
  SidedFixture,
} from '../../../src/ingest/identities/identities.ts';
import { IdentityConflict } from '../../../src/ingest/identities/identities.ts';
import { formatIdentityKey } from '../../../src/ingest/identities/identity-key.ts';

/** A registry, and instances on it as processes have them. */
export interface IdentitiesWorld {
  /** By which its instances write; milliseconds. */
  readonly clock: { time: number };
  open(): Promise<Identities>;
  close(): Promise<void>;
}

export const x = { source: 'a', ref: 'x' };
export const near = (startsAt: number): SidedFixture => ({ pair: '1~2', startsAt, sides: ['team:1', 'team:2'] });
export const ofRef = (ref: string) => formatIdentityKey({ what: 'event', source: 'a', ref });
export const ofName = (name: string, kind: EntityKind = 'team') =>
  formatIdentityKey({ what: 'name', kind, scope: 'nfl', name });
export const mine: QuarantineClaim = { owner: 'mine', now: 0, until: 1000 };
export const yours: QuarantineClaim = { owner: 'yours', now: 0, until: 2000 };
export const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b);
export const byId = <T extends { id: number }>(all: readonly T[]) => [...all].sort((a, b) => a.id - b.id);

export const claim = async (
  identities: Identities,
  key: string,
  taking: QuarantineClaim,
): Promise<readonly QuarantinedMessage[]> => (await identities.claimQuarantined(key, taking)).messages;

export const waiting = (
  fingerprint: string,
  keys: readonly string[],
  facts: Partial<QuarantinedMessage> = {},
): QuarantinedMessage => ({
  fingerprint,
  message: { source: 'a', text: fingerprint },
  reason: 'nobody is known as chiefs',
  code: 'unknown_team',
  candidates: [],
  receivedAt: '2026-01-01T00:00:00Z',
  keys,
  accepted: false,
  ...facts,
});

export async function conflictOf(flush: Promise<unknown>): Promise<IdentityConflict> {
  const error = await flush.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(IdentityConflict);
  return error as IdentityConflict;
}
