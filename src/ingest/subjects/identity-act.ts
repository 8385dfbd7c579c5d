import type { FirstAct, IdentityState } from '../../../commands/identity-decider.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import type { Moved } from '../../domain/streams/identity-stream.ts';
import type { IngestSession } from '../binding/ingest-session.ts';

/** What a message asks for: refused, known already, or an act. */
export type PlannedAct<Content> =
  | { readonly rejection: Rejection }
  | 'known'
  | { readonly content: Content; readonly moved: Moved };

export type ContentOf<Action extends FirstAct['action']> = Extract<FirstAct, { readonly action: Action }>;

/** The id and time of the act that does something. */
export interface ActStamp {
  readonly act: number;
  readonly at: string;
}

/** How one action is checked, done and taken back. Everything is staged. */
export interface ActRules<Content> {
  plan(session: IngestSession, message: IdentityMessage, state: IdentityState): Promise<PlannedAct<Content>>;
  /** Why the act cannot be done again after it was taken back. */
  refuseAgain(session: IngestSession, content: Content, state: IdentityState): Promise<Rejection | undefined>;
  /** Why the act cannot be taken back. */
  refuseUndo(session: IngestSession, content: Content, state: IdentityState): Promise<Rejection | undefined>;
  /** What taking the act back moves, or doing it again; absent: as much as the act did. */
  movedBy?(session: IngestSession, content: Content, isAgain: boolean): Promise<Moved>;
  apply(session: IngestSession, content: Content, stamp: ActStamp): Promise<void>;
  /** @param root the act that is taken back */
  revert(session: IngestSession, content: Content, stamp: ActStamp, root: number): Promise<void>;
}

export const refusal = (code: string, path: string, message: string): Rejection => ({
  code,
  message: `${path}: ${message}`,
  path,
});

export const refused = (code: string, path: string, message: string): { readonly rejection: Rejection } => ({
  rejection: refusal(code, path, message),
});
