import { balances } from './accounts/balances.ts';
import { experiments } from './accounts/experiments.ts';
import { usage } from './accounts/usage.ts';
import { usageDays } from './accounts/usage-days.ts';
import { playerNamesIndex } from './directory/player-names.ts';
import { players } from './directory/players.ts';
import { rosters } from './directory/rosters.ts';
import { teamNamesIndex } from './directory/team-names.ts';
import { teams } from './directory/teams.ts';
import { mainQuotes } from './odds/main-quotes.ts';
import { odds } from './odds/odds.ts';
import { oddsMovements } from './odds/odds-movements.ts';
import { outrights } from './odds/outrights.ts';
import { propQuotes } from './odds/prop-quotes.ts';
import { splits } from './odds/splits.ts';
import { venues } from './odds/venues.ts';
import { boxes } from './sports-events/boxes.ts';
import { corrections } from './sports-events/corrections.ts';
import { deductions } from './sports-events/deductions.ts';
import { events } from './sports-events/events.ts';
import { games } from './sports-events/games.ts';
import { injuries } from './sports-events/injuries.ts';
import { intelligence } from './sports-events/intelligence.ts';
import { lineups } from './sports-events/lineups.ts';
import { listings } from './sports-events/listings.ts';
import { playerBoxes } from './sports-events/player-boxes.ts';
import { seasons } from './sports-events/seasons.ts';
import { teamStarts } from './sports-events/team-starts.ts';

/** All projections of read models. */
export const projections = [
  events,
  listings,
  games,
  teamStarts,
  odds,
  oddsMovements,
  mainQuotes,
  propQuotes,
  splits,
  boxes,
  playerBoxes,
  lineups,
  injuries,
  corrections,
  intelligence,
  teams,
  players,
  rosters,
  teamNamesIndex,
  playerNamesIndex,
  seasons,
  deductions,
  outrights,
  venues,
  balances,
  experiments,
  usage,
  usageDays,
] as const;
