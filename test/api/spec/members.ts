import { expect } from 'vitest';

/** The documented members of the specification's tables. */
export const SUMMARY = [
  'id',
  'name',
  'sport',
  'league',
  'season_id',
  'starts_at',
  'scheduled_start_at',
  'starts_at_qualifier',
  'inprogress_since',
  'status',
  'result_type',
  'period',
  'period_label',
  'clock',
  'round',
  'neutral_site',
  'competition',
  'venue',
];
export const SCORES = ['participants', 'draw_type', 'broadcast', 'court', 'order_of_play'];
export const DETAIL = [...SUMMARY, ...SCORES, 'game_number', 'updated_at'];
export const VENUE = ['id', 'name', 'city', 'surface', 'roof_type', 'timezone'];
export const VENUE_DETAIL = [...VENUE, 'country', 'capacity'];
export const PARTICIPANT = [
  'participant_id',
  'role',
  'score',
  'game_score',
  'is_winner',
  'team',
  'player',
  'period_scores',
];
export const TEAM_OF_PARTICIPANT = ['id', 'name', 'abbreviation', 'country_code', 'image_url'];
export const PLAYER_OF_PARTICIPANT = ['id', 'name', 'country_code', 'image_url'];
export const PERIOD_SCORE = ['period', 'score', 'tiebreak', 'confirmed'];
export const SNAPSHOT = ['event_id', 'status', 'period', 'period_label', 'clock', 'scores', 'updated_at'];
export const SNAPSHOT_SIDE = ['role', 'name', 'abbreviation', 'score', 'game_score', 'is_winner', 'period_scores'];
export const INTELLIGENCE = [
  'event_id',
  'available',
  'sport',
  'league',
  'odds_source',
  'players',
  'has_recommend',
  'intelligence_updated_at',
  'match_overview',
  'rationale',
  'bets',
  'forecasts',
  'matchup',
];

/** Exactly these members, in any order. */
export function expectMembers(value: object, names: readonly string[]): void {
  expect(Object.keys(value).sort()).toEqual([...names].sort());
}
