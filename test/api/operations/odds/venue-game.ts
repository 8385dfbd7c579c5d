import { schedule } from '../../spec/messages.ts';

/** The game, `g1`, whose prices exchanges and bookmakers have. */
export const GAME = schedule(
  { sport: 'nba', league: 'nba' },
  'g1',
  [
    { name: 'Golden State Warriors', abbreviation: 'GS' },
    { name: 'Los Angeles Lakers', abbreviation: 'LAL' },
  ],
  '2026-03-02T03:00:00Z',
  { at: '2026-02-20T00:00:00Z' },
);
