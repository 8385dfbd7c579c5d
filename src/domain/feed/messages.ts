import type { z } from 'zod';
import { playerMessage, teamMessage } from './directory.ts';
import type { match, venue } from './fields.ts';
import { injuryMessage } from './injury.ts';
import { oddsMessage } from './odds.ts';
import { scheduleMessage } from './schedule.ts';
import { scoreMessage } from './score.ts';
import { splitsMessage } from './splits.ts';
import { boxMessage, lineupMessage } from './statistics.ts';

export type { Role } from './fields.ts';
export type { FeedOutcome } from './odds.ts';
export type { ScheduleParticipant } from './schedule.ts';

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

export type TeamMessage = z.infer<typeof teamMessage>;
export type PlayerMessage = z.infer<typeof playerMessage>;
export type ScheduleMessage = z.infer<typeof scheduleMessage>;
export type ScoreMessage = z.infer<typeof scoreMessage>;
export type OddsMessage = z.infer<typeof oddsMessage>;
export type SplitsMessage = z.infer<typeof splitsMessage>;
export type InjuryMessage = z.infer<typeof injuryMessage>;
export type BoxMessage = z.infer<typeof boxMessage>;
export type LineupMessage = z.infer<typeof lineupMessage>;
export type FeedMatch = z.infer<typeof match>;
export type VenueFacts = z.infer<typeof venue>;
export type FeedMessage =
  | TeamMessage
  | PlayerMessage
  | ScheduleMessage
  | ScoreMessage
  | OddsMessage
  | SplitsMessage
  | InjuryMessage
  | BoxMessage
  | LineupMessage;

/** A message's documented fields, without the index signature of the unknown ones that it may carry. */
export type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
