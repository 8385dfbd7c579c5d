import { expect, it } from 'vitest';
import type { EventStatus } from '../../../src/domain/catalogue/catalogue.ts';
import { DAY, HOUR, MINUTE } from '../../../src/domain/primitives/time.ts';
import { leagueState } from '../../../src/sources/connectors/league-state.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const at = (status: EventStatus, after: number) => ({ status, startsAt: NOW + after });

it.each([
  ['nothing', [], 'idle'],
  ['one in play that began days ago', [at('inprogress', -3 * DAY)], 'live'],
  ['one that is suspended', [at('suspended', -DAY)], 'live'],
  ['one that is delayed', [at('delayed', 5 * HOUR)], 'live'],
  ['one that begins in 10 minutes', [at('scheduled', 10 * MINUTE)], 'live'],
  ['one that begins a little later', [at('scheduled', 10 * MINUTE + 1)], 'soon'],
  ['one that should have begun 6 hours ago', [at('scheduled', -6 * HOUR)], 'live'],
  ['one that should have begun before', [at('scheduled', -6 * HOUR - 1)], 'idle'],
  ['one that has just ended', [at('final', -2 * HOUR)], 'idle'],
  ['one that was called off', [at('cancelled', MINUTE)], 'idle'],
  ['one within 6 hours', [at('scheduled', 6 * HOUR), at('final', -HOUR)], 'soon'],
  ['one within 7 days', [at('scheduled', 6 * HOUR + 1)], 'later'],
  ['one at the end of 7 days', [at('scheduled', 7 * DAY)], 'later'],
  ['one after them', [at('scheduled', 7 * DAY + 1)], 'idle'],
  ['the nearest of several', [at('scheduled', 5 * DAY), at('scheduled', HOUR), at('scheduled', 2 * DAY)], 'soon'],
] as const)('given %s, the league is as it should be', (_, events, state) => {
  expect(leagueState(events, NOW)).toBe(state);
});
