import type { Question } from '../../../src/sources/importing/connector.ts';

/** A question of no provider in particular. */
export const question = (key: string, more: Partial<Question> = {}): Question => ({
  ...{ key, kind: 'scoreboard', league: 'nba', path: `/${key}`, query: {}, every: 15, urgency: 'live' },
  ...more,
});
