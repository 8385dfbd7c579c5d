import type { z } from 'zod';
import { bookMessage } from './book-message.ts';
import { contractMessage } from './contract-message.ts';
import { deductionMessage } from './deduction-message.ts';
import { identityMessage } from './identity-message.ts';
import type { match, venue } from './message-fields.ts';
import {
  boxMessage,
  injuryMessage,
  lineupMessage,
  oddsMessage,
  playerMessage,
  scheduleMessage,
  scoreMessage,
  splitsMessage,
  teamMessage,
} from './message-schemas.ts';
import { outrightMessage } from './outright-message.ts';
import { unclearContractMessage } from './unclear-contract-message.ts';

export type { Role } from './message-fields.ts';
export type { FeedOutcome, ScheduleParticipant } from './message-schemas.ts';

/**
 * The feed contract, version 1: the messages that sources send. Mirrors `docs/feed.md`. Unknown fields are kept. Times
 * are converted to canonical spelling. `parseMessage` removes optional fields that are null.
 */
export const MESSAGE_SCHEMAS = {
  team: teamMessage,
  player: playerMessage,
  schedule: scheduleMessage,
  score: scoreMessage,
  odds: oddsMessage,
  book: bookMessage,
  contract: contractMessage,
  unclear_contract: unclearContractMessage,
  splits: splitsMessage,
  injury: injuryMessage,
  box: boxMessage,
  lineup: lineupMessage,
  deduction: deductionMessage,
  outright: outrightMessage,
  identity: identityMessage,
};
export type MessageKind = keyof typeof MESSAGE_SCHEMAS;
export const MESSAGE_KINDS = Object.keys(MESSAGE_SCHEMAS) as MessageKind[];

export type MessageOf<Kind extends MessageKind> = z.infer<(typeof MESSAGE_SCHEMAS)[Kind]>;
export type FeedMessage = { [Kind in MessageKind]: MessageOf<Kind> }[MessageKind];
export type TeamMessage = MessageOf<'team'>;
export type PlayerMessage = MessageOf<'player'>;
export type ScheduleMessage = MessageOf<'schedule'>;
export type ScoreMessage = MessageOf<'score'>;
export type OddsMessage = MessageOf<'odds'>;
export type BookMessage = MessageOf<'book'>;
export type ContractMessage = MessageOf<'contract'>;
export type UnclearContractMessage = MessageOf<'unclear_contract'>;
export type SplitsMessage = MessageOf<'splits'>;
export type InjuryMessage = MessageOf<'injury'>;
export type BoxMessage = MessageOf<'box'>;
export type LineupMessage = MessageOf<'lineup'>;
export type DeductionMessage = MessageOf<'deduction'>;
export type OutrightMessage = MessageOf<'outright'>;
export type IdentityMessage = MessageOf<'identity'>;
export type FeedMatch = z.infer<typeof match>;
export type VenueFacts = z.infer<typeof venue>;

/** The documented fields of a message, without the index signature for unknown fields. */
export type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
