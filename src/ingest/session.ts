import type { Rejection } from '../domain/feed/rejection.ts';
import type { Identities } from './identities/identities.ts';
import { keyText } from './identities/known-key.ts';
import type { StreamStates } from './states/stream-states.ts';
import type { Undescribed } from './undescribed.ts';

/** What the handlers of messages work with. Everything they decide is staged; the intake appends it. */
export interface Session {
  readonly identities: Identities;
  readonly states: StreamStates;
  /** Something became known that messages may wait for. */
  readonly learned: (key: string) => void;
  /** Keys that something was parked for or taken by: to be tried again when the batch is decided again. */
  readonly tried: Set<string>;
  /** How many of those that waited may still be taken up by this batch; what is left comes after it, by these keys. */
  readonly room: { messages: number; readonly left: Set<string> };
  /** Events that have an id and are not in the log yet, with what waits for that: another process may append them now. */
  readonly unborn: Map<string, number>;
  /** What is to be looked at again once the batch is in the log, where others write too. */
  readonly undescribed: Undescribed;
}

/** What became of a message, before anything of it is on disk. */
export type Handled =
  /** At least one event was staged. */
  | { readonly status: 'accepted'; readonly awaits?: Wait }
  | { readonly status: 'unchanged'; readonly awaits?: Wait }
  | { readonly status: 'waits'; readonly wait: Wait }
  | { readonly status: 'rejected'; readonly rejection: Rejection };

/** What a message waits for, and why, for people. */
export interface Wait {
  readonly reason: string;
  readonly keys: readonly string[];
}

/** Texts of what can become known. */
export const known = {
  event: (source: string, ref: string) => keyText({ what: 'event', source, ref }),
  entity: (kind: 'team' | 'player', scope: string, source: string, ref: string) =>
    keyText({ what: 'ref', kind, scope, source, ref }),
  name: (kind: 'team' | 'player', scope: string, name: string) => keyText({ what: 'name', kind, scope, name }),
  pair: (pair: string) => keyText({ what: 'pair', pair }),
};

export const waits = (reason: string, ...keys: string[]): { status: 'waits'; wait: Wait } => ({
  status: 'waits',
  wait: { reason, keys },
});
export const acceptedIf = (events: readonly unknown[]): { status: 'accepted' | 'unchanged' } => ({
  status: events.length > 0 ? 'accepted' : 'unchanged',
});
