import type { z } from 'zod';
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

export type { Role } from './message-fields.ts';
export type { FeedOutcome, ScheduleParticipant } from './message-schemas.ts';

/**
 * The feed contract, version 1: what sources send. Everything here mirrors `docs/feed.md`; unknown fields are kept.
 * Times come out in the server's one spelling. Optional fields that are null are dropped before (`parseMessage`).
 */
export const MESSAGE_SCHEMAS = {
  team: teamMessage,
  player: playerMessage,
  schedule: scheduleMessage,
  score: scoreMessage,
  odds: oddsMessage,
  splits: splitsMessage,
  injury: injuryMessage,
  box: boxMessage,
  lineup: lineupMessage,
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
export type SplitsMessage = MessageOf<'splits'>;
export type InjuryMessage = MessageOf<'injury'>;
export type BoxMessage = MessageOf<'box'>;
export type LineupMessage = MessageOf<'lineup'>;
export type FeedMatch = z.infer<typeof match>;
export type VenueFacts = z.infer<typeof venue>;

/** A message's documented fields, without the index signature of the unknown ones that it may carry. */
export type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
