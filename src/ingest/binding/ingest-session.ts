import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { IdentitySubject } from '../../domain/feed/identity-message.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import type { Identities } from '../identities/identities.ts';
import { formatIdentityKey } from '../identities/identity-key.ts';
import { nameCode, type QuarantineCode } from '../identities/quarantine-reasons.ts';
import type { StreamStates } from '../states/stream-states.ts';
import type { PendingDescriptions } from './pending-descriptions.ts';

/** The context in which messages are handled. Every decision is staged; the intake appends it. */
export interface IngestSession {
  readonly identities: Identities;
  readonly states: StreamStates;
  /** The thing that an id means: another one, if a person has merged the two. */
  readonly meaningOf: (what: IdentitySubject, id: number) => number;
  /** The records of all streams that held those of a plain name, the first one first, in pages. */
  readonly recordsUnder: (plain: string) => AsyncIterable<readonly LogRecord[]>;
  /** Nothing of what is decided is kept. */
  readonly isTrial?: true;
  /** Milliseconds. */
  readonly now: () => number;
  /** Something became known that quarantined messages may wait for. */
  readonly noteKnown: (key: string) => void;
  /** Keys for which messages were quarantined or claimed. They are tried again when the batch is decided again. */
  readonly triedKeys: Set<string>;
  readonly retryBudget: RetryBudget;
  /**
   * Events that have an id but are not in the log yet, by the key that waits for them: another process may be appending
   * them now.
   */
  readonly eventsNotInLog: Map<string, number>;
  /** Descriptions to check again once the batch is in the log, since other processes write there too. */
  readonly pendingDescriptions: PendingDescriptions;
}

/** How many quarantined messages a batch may still retry, and what is left for the batch that follows it. */
export interface RetryBudget {
  messages: number;
  /**
   * Where the batches before have stopped, by key (`ClaimedMessages.next`). The messages before that place may all wait
   * for the key as before: to retry them once more would never end.
   */
  readonly places: Map<string, number>;
  /** The same after this batch, for keys that more messages may wait for. */
  readonly left: Map<string, number>;
}

/**
 * The result for a message, before anything is durable. With a `quarantineCause` it is recorded, and quarantined as well
 * until a detail that it lacks is known.
 */
export type HandlingResult =
  /** At least one event was staged. */
  | { readonly status: 'accepted'; readonly quarantineCause?: QuarantineCause }
  | { readonly status: 'unchanged'; readonly quarantineCause?: QuarantineCause }
  | { readonly status: 'quarantined'; readonly cause: QuarantineCause }
  | { readonly status: 'rejected'; readonly rejection: Rejection };

/** What a message waits for, with a reason for people to read, and as a code. */
export interface QuarantineCause {
  readonly reason: string;
  readonly code: QuarantineCode;
  /** Ids of what fits equally well, nearest first. */
  readonly candidates?: readonly number[];
  readonly keys: readonly string[];
}

/** Texts of the keys that can become known. */
export const identityKeyOf = {
  event: (source: string, ref: string) => formatIdentityKey({ what: 'event', source, ref }),
  entity: (kind: 'team' | 'player', scope: string, source: string, ref: string) =>
    formatIdentityKey({ what: 'ref', kind, scope, source, ref }),
  name: (kind: 'team' | 'player', scope: string, name: string) =>
    formatIdentityKey({ what: 'name', kind, scope, name }),
  contract: (leagueId: number, venue: string, contract: string) =>
    formatIdentityKey({ what: 'contract', leagueId, venue, contract }),
  pair: (pair: string) => formatIdentityKey({ what: 'pair', pair }),
};

/** The cause of a message that names an entry by a name which none, or several, have. */
export const unclearName = (
  kind: 'team' | 'player',
  sport: string,
  name: string,
  ids: readonly number[],
  keys: readonly string[],
): QuarantineCause => ({
  reason:
    ids.length === 0
      ? `no ${kind} of ${sport} is known as ${name}`
      : `${ids.length} ${kind}s of ${sport} are known as ${name}`,
  code: nameCode(kind, ids.length),
  candidates: ids,
  keys,
});

export const quarantined = (cause: QuarantineCause): { status: 'quarantined'; cause: QuarantineCause } => ({
  status: 'quarantined',
  cause,
});
export const acceptedIfAny = (events: readonly unknown[]): { status: 'accepted' | 'unchanged' } => ({
  status: events.length > 0 ? 'accepted' : 'unchanged',
});
