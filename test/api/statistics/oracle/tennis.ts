import { headToHead, newest, restDays, sosMember, WINDOWS } from './common-members.ts';
import { countedGames, gamesOf } from './counted-games.ts';
import { share } from './exact.ts';
import { boxStat, type Game, otherSide, type Side, sideOf } from './game.ts';
import { type RateField, rates } from './rates.ts';
import { countOf, resultOf, strengthOf } from './results.ts';
import { gamesWon, setsWon } from './tennis-sets.ts';

const ROLES = { home: 'player_1', away: 'player_2' } as const;

/** "tennis box | `teams` keyed `player_1`, `player_2`, or the players' own rows" */
function ownBoxStat(game: Game, side: Side, stat: string): number | undefined {
  if (game.box?.teams[side]) return boxStat(game, side, stat);
  const row = game.box?.players.find((one) => one.side === side);
  return row && Object.hasOwn(row.stats, stat) ? row.stats[stat] : undefined;
}

/** "rates own only". "A match without stated sets counts in form and strength, not in set and game rates" */
const FIELDS: readonly RateField[] = [
  { name: 'sets_won', of: (game, side) => setsWon(game, side) },
  { name: 'sets_lost', of: (game, side) => setsWon(game, otherSide(side)) },
  { name: 'games_won', of: (game, side) => gamesWon(game, side) },
  { name: 'games_lost', of: (game, side) => gamesWon(game, otherSide(side)) },
  ...[
    ...['aces', 'double_faults', 'first_serve_pct', 'first_serve_points_won_pct', 'second_serve_points_won_pct'],
    ...['break_points_won', 'break_points_faced', 'total_points_won'],
  ].map((name): RateField => ({ name, of: (game, side) => ownBoxStat(game, side, name) })),
];

export function tennisAnswer(earlier: readonly Game[], event: Game) {
  return {
    event_id: event.eventId,
    available: true,
    league_slug: event.league,
    neutral_site: event.neutral_site,
    windows: WINDOWS,
    players: { player_1: playerAnswer(earlier, event, 'home'), player_2: playerAnswer(earlier, event, 'away') },
  };
}

function playerAnswer(earlier: readonly Game[], event: Game, side: Side) {
  const { name, country_code, image_url, ranking, ranking_points } = event[side];
  const id = event[side].id!;
  const counted = countedGames(earlier, event);
  const own = gamesOf(counted, id);
  return {
    player_id: id,
    name,
    country_code,
    image_url,
    rest_days: restDays(earlier, event, id),
    recent_form: recentForm(own, id),
    team_strength: {
      source: 'win_pct',
      win_pct: share(strengthOf(own, id)),
      games: own.length,
      w: countOf(own, id, 'W'),
      l: countOf(own, id, 'L'),
      ranking,
      ranking_points,
    },
    sos: sosMember(counted, id, 'opp_win_pct_avg', true),
    venue: surfaceSplit(own, id, event),
    rates_l5: rates('l5', own, id, FIELDS),
    rates_season: rates('season', own, id, FIELDS),
    head_to_head: headToHead(earlier, event, (game) => meetingOf(game, event)),
  };
}

/** "`{window, results (W, L), sets_won, sets_lost}`"; null where a match does not state its sets */
const recentForm = (own: readonly Game[], id: number) => ({
  window: 5,
  results: newest(own, 5).map((game) => resultOf(game, id)),
  sets_won: newest(own, 5).map((game) => setsWon(game, sideOf(game, id)!) ?? null),
  sets_lost: newest(own, 5).map((game) => setsWon(game, otherSide(sideOf(game, id)!)) ?? null),
});

/** "`{source: "surface_win_pct_split", surface, clay, grass, hard, indoor_hard}`, each `{win_pct, games}`, `surface` this
 *  event's" */
function surfaceSplit(own: readonly Game[], id: number, event: Game) {
  const on = (surface: string) => {
    const played = own.filter((game) => game.surface === surface);
    return { win_pct: share(strengthOf(played, id)), games: played.length };
  };
  return {
    source: 'surface_win_pct_split',
    surface: event.surface,
    clay: on('clay'),
    grass: on('grass'),
    hard: on('hard'),
    indoor_hard: on('indoor_hard'),
  };
}

/** "`{winner, player_1_sets, player_2_sets, surface}`, winner `player_1` or `player_2` of this event" */
function meetingOf(game: Game, event: Game) {
  const sides = { home: sideOf(game, event.home.id!)!, away: sideOf(game, event.away.id!)! };
  return {
    winner: ROLES[game.winner === sides.home ? 'home' : 'away'],
    player_1_sets: setsWon(game, sides.home) ?? null,
    player_2_sets: setsWon(game, sides.away) ?? null,
    surface: game.surface,
  };
}
