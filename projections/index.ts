import { balances } from './balances.ts';
import { boxes } from './boxes.ts';
import { corrections } from './corrections.ts';
import { events } from './events.ts';
import { games } from './games.ts';
import { injuries } from './injuries.ts';
import { intelligence } from './intelligence.ts';
import { lineups } from './lineups.ts';
import { listings } from './listings.ts';
import { mainQuotes } from './main-quotes.ts';
import { odds } from './odds.ts';
import { oddsMovements } from './odds-movements.ts';
import { playerBoxes } from './player-boxes.ts';
import { playerNamesIndex } from './player-names.ts';
import { players } from './players.ts';
import { propQuotes } from './prop-quotes.ts';
import { rosters } from './rosters.ts';
import { seasons } from './seasons.ts';
import { splits } from './splits.ts';
import { teamNamesIndex } from './team-names.ts';
import { teamStarts } from './team-starts.ts';
import { teams } from './teams.ts';
import { usage } from './usage.ts';
import { usageDays } from './usage-days.ts';

/** Every read model. */
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
  balances,
  usage,
  usageDays,
] as const;
