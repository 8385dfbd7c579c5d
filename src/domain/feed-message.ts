import { z } from 'zod';
import { BOOKMAKER_SLUG, EVENT_STATUSES, findLeague, findSport, INJURY_STATUSES, RESULT_TYPES } from './catalogue.ts';
import { formatTime, parseTime } from './time.ts';

/**
 * The feed contract, version 1: what sources send. Everything here mirrors `docs/feed.md`; unknown fields are kept.
 * Times come out in the server's one spelling. Optional fields that are null are dropped before (`parseMessage`).
 */
const MAX_TEXT = 300;
/** Length of a time that is in the server's spelling already: 2026-01-31T12:00:00Z. */
const WHOLE_SECONDS = 20;
/** Characters that databases and headers cut or replace: what was stored would not be what was sent. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const text = z
  .string()
  .trim()
  .min(1)
  .max(MAX_TEXT)
  .refine((value) => !UNSTORABLE.test(value), 'must not contain NUL characters or lone surrogates');
const time = z.string().transform((value, context) => {
  const milliseconds = parseTime(value);
  if (milliseconds !== null) return value.length === WHOLE_SECONDS ? value : formatTime(milliseconds);
  context.issues.push({ code: 'custom', message: 'must be a UTC ISO 8601 time with a trailing Z', input: value });
  return z.NEVER;
});
const slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'must be a slug');
const safeInteger = z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const price = z
  .number()
  .int()
  .min(-1_000_000)
  .max(1_000_000)
  .refine((value) => Math.abs(value) >= 100, 'American odds are at least 100 in absolute value');

const common = { source: slug, at: time };
const league = {
  sport: z.string().refine((value) => findSport(value) !== undefined, 'unknown sport'),
  league: z.string().refine((value) => findLeague(value) !== undefined, 'unknown league'),
};
const ref = text;
const side = z.enum(['home', 'away', 'player_1', 'player_2']);
export type Role = z.infer<typeof side>;

const match = z.looseObject({
  ...league,
  starts_at: time,
  home: text.optional(),
  away: text.optional(),
  player_1: text.optional(),
  player_2: text.optional(),
});
const event = { ref: ref.optional(), match: match.optional() };

const venue = z.looseObject({
  name: text,
  city: text.optional(),
  country: text.optional(),
  surface: text.optional(),
  roof_type: text.optional(),
  capacity: safeInteger.min(0).optional(),
  timezone: text.optional(),
});
export type VenueFacts = z.infer<typeof venue>;

export const teamMessage = z.looseObject({
  kind: z.literal('team'),
  ...common,
  ...league,
  ref,
  slug: text.optional(),
  name: text,
  short_name: text.optional(),
  abbreviation: text,
  city: text.optional(),
  state: text.optional(),
  country_code: text.optional(),
  conference: text.optional(),
  division: text.optional(),
  image_url: z.string().max(2000).optional(),
  venue: venue.optional(),
  aliases: z.array(text).max(200).optional(),
  is_active: z.boolean().optional(),
});

export const playerMessage = z.looseObject({
  kind: z.literal('player'),
  ...common,
  sport: league.sport,
  league: league.league.optional(),
  ref,
  full_name: text,
  first_name: text.optional(),
  last_name: text.optional(),
  country_code: text.optional(),
  birthdate: z.iso.date().optional(),
  position: text.optional(),
  handedness: z.enum(['left', 'right', 'switch']).optional(),
  height_cm: z.number().min(0).max(400).optional(),
  weight_kg: z.number().min(0).max(500).optional(),
  team_ref: ref.optional(),
  tennis_ranking: safeInteger.min(1).optional(),
  tennis_ranking_points: safeInteger.min(0).optional(),
  image_url: z.string().max(2000).optional(),
  aliases: z.array(text).max(200).optional(),
  is_active: z.boolean().optional(),
  retired_at: z.string().max(40).optional(),
});

const member = z.looseObject({ ref: ref.optional(), name: text });
const participant = z.looseObject({
  role: side,
  ref: ref.optional(),
  name: text,
  abbreviation: text.optional(),
  country_code: text.optional(),
  placeholder: z.boolean().optional(),
  members: z.array(member).length(2).optional(),
});
export type ScheduleParticipant = z.infer<typeof participant>;

export const scheduleMessage = z.looseObject({
  kind: z.literal('schedule'),
  ...common,
  ...league,
  ref,
  refs: z.record(slug, ref).optional(),
  season: z
    .looseObject({
      year: safeInteger.min(1800).max(2999),
      name: text.optional(),
      phase: z.enum(['preseason', 'regular_season', 'playoffs']),
      start_date: z.iso.date().optional(),
      end_date: z.iso.date().optional(),
    })
    .optional(),
  starts_at: time,
  starts_at_qualifier: z.enum(['exact', 'not_before', 'following', 'tbd']).optional(),
  participants: z.array(participant).length(2),
  round: text.optional(),
  neutral_site: z.boolean().optional(),
  competition: z
    .looseObject({
      name: text,
      surface: z.enum(['clay', 'grass', 'hard', 'indoor_hard']).optional(),
      tier: z.enum(['grand_slam', 'masters_1000', 'atp_500', 'atp_250', 'wta_1000', 'wta_500', 'wta_250']).optional(),
    })
    .optional(),
  venue: venue.optional(),
  broadcast: text.optional(),
  court: text.optional(),
  order_of_play: safeInteger.min(1).max(10_000).optional(),
  draw_type: z.enum(['singles', 'doubles']).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
});

const periodScore = z.looseObject({ period: text, score: safeInteger, tiebreak: safeInteger.optional() });
export const scoreMessage = z.looseObject({
  kind: z.literal('score'),
  ...common,
  ...event,
  status: z.enum(EVENT_STATUSES),
  period: text.optional(),
  clock: text.optional(),
  result_type: z.enum(RESULT_TYPES).optional(),
  scores: z
    .array(
      z.looseObject({
        role: side,
        score: z.string().max(100).optional(),
        game_score: z.string().max(20).optional(),
        period_scores: z.array(periodScore).max(60).optional(),
        is_winner: z.boolean().optional(),
      }),
    )
    .max(2)
    .optional(),
  inprogress_since: time.optional(),
});

export const MATCH_SCOPES = ['match', '1H', 'F5', 'S1'] as const;
const outcome = z.looseObject({
  outcome: z.enum(['home', 'away', 'draw', 'over', 'under', 'player_1', 'player_2']),
  price,
  point: z.number().min(-100_000).max(100_000).optional(),
  team: z.enum(['home', 'away']).optional(),
  player: text.optional(),
  player_ref: ref.optional(),
});
export type FeedOutcome = z.infer<typeof outcome>;
export const oddsMessage = z.looseObject({
  kind: z.literal('odds'),
  ...common,
  ...event,
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}'),
  markets: z
    .array(
      z.looseObject({
        key: z.string().regex(/^[a-z0-9_]{1,60}$/, 'must match [a-z0-9_]{1,60}'),
        scope: z.enum(MATCH_SCOPES).optional(),
        alternate: z.boolean().optional(),
        complete: z.boolean().optional(),
        outcomes: z.array(outcome).max(2000),
      }),
    )
    .max(500),
});

const percent = z.number().int().min(0).max(100);
const splitSide = z.looseObject({
  bets_pct: percent,
  handle_pct: percent,
  price: price.optional(),
  line: z.number().min(-100_000).max(100_000).optional(),
});
const sides = z.looseObject({ home: splitSide.optional(), away: splitSide.optional() });
export const splitsMessage = z.looseObject({
  kind: z.literal('splits'),
  ...common,
  ...event,
  bookmaker: z.string().regex(BOOKMAKER_SLUG, 'must match [a-z0-9_]{1,40}').optional(),
  markets: z.looseObject({
    moneyline: sides.optional(),
    spread: sides.optional(),
    total: z.looseObject({ over: splitSide.optional(), under: splitSide.optional() }).optional(),
  }),
});

export const injuryMessage = z.looseObject({
  kind: z.literal('injury'),
  ...common,
  ...event,
  sport: league.sport.optional(),
  league: league.league.optional(),
  player_ref: ref.optional(),
  player: text.optional(),
  team_ref: ref.optional(),
  team: text.optional(),
  status: z.enum(INJURY_STATUSES).optional(),
  body_part: text.optional(),
  note: z.string().max(4000).optional(),
  source_url: z.string().max(2000).optional(),
  checked: z.boolean().optional(),
});

const stats = z.record(z.string().max(100), z.number());
export const boxMessage = z.looseObject({
  kind: z.literal('box'),
  ...common,
  ...event,
  final: z.boolean().optional(),
  teams: z.looseObject({ home: stats.optional(), away: stats.optional() }).optional(),
  players: z
    .array(
      z.looseObject({
        ref,
        name: text,
        role: side,
        starter: z.boolean().optional(),
        dnp: z.boolean().optional(),
        stats,
      }),
    )
    .max(400)
    .optional(),
});

const lineupSide = z.looseObject({
  formation: text.optional(),
  players: z
    .array(
      z.looseObject({
        ref: ref.optional(),
        name: text,
        position: text.optional(),
        jersey: z.union([text, safeInteger]).optional(),
        formation_place: z.union([text, safeInteger]).optional(),
        starter: z.boolean(),
      }),
    )
    .max(100),
});
const starter = z.looseObject({ ref: ref.optional(), name: text });
export const lineupMessage = z.looseObject({
  kind: z.literal('lineup'),
  ...common,
  ...event,
  teams: z.looseObject({ home: lineupSide.optional(), away: lineupSide.optional() }),
  probable_starters: z.looseObject({ home: starter.optional(), away: starter.optional() }).optional(),
});

const byKind = {
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
export type MessageKind = keyof typeof byKind;
export const MESSAGE_KINDS = Object.keys(byKind) as MessageKind[];

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

/** Why a message was rejected: a stable code, a sentence, and the path of the field (`markets.0.key`). */
export interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}

/** Checks one message of any shape. Never throws. */
export function parseMessage(input: unknown): { message: FeedMessage } | { rejection: Rejection } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { rejection: { code: 'invalid_message', message: 'a message is a JSON object', path: '' } };
  }
  const kind = (input as { kind?: unknown }).kind;
  const schema = typeof kind === 'string' && Object.hasOwn(byKind, kind) ? byKind[kind as MessageKind] : undefined;
  if (!schema) {
    const message = `kind must be one of ${MESSAGE_KINDS.join(', ')}`;
    return { rejection: { code: 'unknown_kind', message, path: 'kind' } };
  }
  const result = schema.safeParse(withoutNulls(input, 0));
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const path = issue.path.join('.');
    return {
      rejection: { code: rejectionCode(issue.message), message: `${path || 'message'}: ${issue.message}`, path },
    };
  }
  const rejection = crossCheck(result.data);
  return rejection ? { rejection } : { message: result.data };
}

const rejectionCode = (message: string): string =>
  message === 'unknown sport' ? 'unknown_sport' : message === 'unknown league' ? 'unknown_league' : 'invalid_field';

const invalid = (path: string, message: string, code = 'invalid_field'): Rejection => ({
  code,
  message: `${path || 'message'}: ${message}`,
  path,
});

/** Rules across fields, that a schema of single fields cannot tell. */
function crossCheck(message: FeedMessage): Rejection | undefined {
  switch (message.kind) {
    case 'team':
    case 'player':
      return checkLeague(message.sport, message.league, '');
    case 'schedule':
      return (
        checkLeague(message.sport, message.league, '') ??
        checkRoles(
          message.sport,
          message.participants.map((p) => p.role),
        )
      );
    case 'injury':
      return checkInjury(message);
    default:
      return checkEvent(message) ?? (message.kind === 'score' ? checkScoreRoles(message) : undefined);
  }
}

function checkLeague(sport: string, leagueSlug: string | undefined, prefix: string): Rejection | undefined {
  if (leagueSlug === undefined || findLeague(leagueSlug)!.sport === sport) return undefined;
  return invalid(`${prefix}league`, `unknown league ${leagueSlug} of ${sport}`, 'unknown_league');
}

const sidesOf = (sport: string): readonly [Role, Role] =>
  sport === 'tennis' ? ['player_1', 'player_2'] : ['home', 'away'];

function checkRoles(sport: string, roles: readonly Role[]): Rejection | undefined {
  const wanted = sidesOf(sport);
  if (wanted.every((role) => roles.includes(role))) return undefined;
  return invalid('participants', `must have the roles ${wanted.join(' and ')}, once each`);
}

function checkScoreRoles(message: ScoreMessage): Rejection | undefined {
  const roles = message.scores?.map((score) => score.role) ?? [];
  return new Set(roles).size === roles.length ? undefined : invalid('scores', 'each role stands once at most');
}

/** An event is named by `ref`, or by `match`; a message may give both. */
function checkEvent(message: { ref?: string | undefined; match?: FeedMatch | undefined }): Rejection | undefined {
  const { match: given } = message;
  if (!given) return message.ref === undefined ? invalid('ref', 'ref or match is required') : undefined;
  const problem = checkLeague(given.sport, given.league, 'match.');
  if (problem) return problem;
  const [first, second] = sidesOf(given.sport);
  if (given[first] !== undefined && given[second] !== undefined) return undefined;
  return invalid(`match.${given[first] === undefined ? first : second}`, 'both sides are required');
}

function checkInjury(message: InjuryMessage): Rejection | undefined {
  if (message.player === undefined && message.checked === true) return checkEvent(message);
  if (message.player === undefined) return invalid('player', 'is required, or checked: true with ref or match');
  if (message.sport === undefined) return invalid('sport', 'is required');
  if (message.league === undefined) return invalid('league', 'is required');
  if (message.team === undefined && message.team_ref === undefined) return invalid('team', 'is required');
  if (message.status === undefined) return invalid('status', 'is required');
  return checkLeague(message.sport, message.league, '');
}

const MAX_DEPTH = 40;

/** A null member is an absent one. Depth is bounded, so that no nesting can exhaust the stack. */
function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    let items: unknown[] = value;
    for (let index = 0; index < value.length; index++) {
      const item = withoutNulls(value[index], depth + 1);
      if (item === value[index]) continue;
      if (items === value) items = [...value];
      items[index] = item;
    }
    return items;
  }
  // Most messages hold no null: they are not copied.
  const members = value as Record<string, unknown>;
  let result = members;
  for (const key in members) {
    const member = members[key];
    const kept = member === null || key === '__proto__' ? undefined : withoutNulls(member, depth + 1);
    if (kept === member) continue;
    if (result === members) result = { ...members };
    if (kept === undefined) delete result[key];
    else result[key] = kept;
  }
  return result;
}
