import type { Rejection } from '../../domain/feed/rejection.ts';
import type { Identities } from '../identities/identities.ts';
import { formatIdentityKey } from '../identities/identity-key.ts';
import type { StreamStates } from '../states/stream-states.ts';
import type { PendingDescriptions } from './pending-descriptions.ts';

/** What the handlers of messages work with. Everything they decide is staged; the intake appends it. */
export interface IngestSession {
  readonly identities: Identities;
  readonly states: StreamStates;
  /** Something became known that messages may wait for. */
  readonly noteKnown: (key: string) => void;
  /** Keys that something was parked for or taken by: to be tried again when the batch is decided again. */
  readonly triedKeys: Set<string>;
  /** How many of those that waited may still be taken up by this batch; what is left comes after it, by these keys. */
  readonly retryBudget: { messages: number; readonly left: Set<string> };
  /** Events that have an id and are not in the log yet, with what waits for that: another process may append them now. */
  readonly eventsNotInLog: Map<string, number>;
  /** What is to be looked at again once the batch is in the log, where others write too. */
  readonly pendingDescriptions: PendingDescriptions;
}

/** What became of a message, before anything of it is on disk. */
export type HandlingResult =
  /** At least one event was staged. */
  | { readonly status: 'accepted'; readonly awaits?: QuarantineCause }
  | { readonly status: 'unchanged'; readonly awaits?: QuarantineCause }
  | { readonly status: 'waits'; readonly wait: QuarantineCause }
  | { readonly status: 'rejected'; readonly rejection: Rejection };

/** What a message waits for, and why, for people. */
export interface QuarantineCause {
  readonly reason: string;
  readonly keys: readonly string[];
}

/** Texts of what can become known. */
export const identityKeyOf = {
  event: (source: string, ref: string) => formatIdentityKey({ what: 'event', source, ref }),
  entity: (kind: 'team' | 'player', scope: string, source: string, ref: string) =>
    formatIdentityKey({ what: 'ref', kind, scope, source, ref }),
  name: (kind: 'team' | 'player', scope: string, name: string) =>
    formatIdentityKey({ what: 'name', kind, scope, name }),
  pair: (pair: string) => formatIdentityKey({ what: 'pair', pair }),
};

export const quarantineBecause = (reason: string, ...keys: string[]): { status: 'waits'; wait: QuarantineCause } => ({
  status: 'waits',
  wait: { reason, keys },
});
export const acceptedIfAny = (events: readonly unknown[]): { status: 'accepted' | 'unchanged' } => ({
  status: events.length > 0 ? 'accepted' : 'unchanged',
});
