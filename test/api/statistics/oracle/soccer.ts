import { gamesAt, headToHead, newest, rankOf, restDays, sosMember, WINDOWS } from './common-members.ts';
import { countedGames, gamesOf } from './counted-games.ts';
import { average, exactly, ratio } from './exact.ts';
import type { Game, LineupSide, Side } from './game.ts';
import { againstStat, ownStat, type RateField, rates } from './rates.ts';
import { conceded, countOf, pointsOf, resultOf, scored, strengthOf, total } from './results.ts';

/** "`_for` is the side's own stat, `_against` the other side's (shots, shots_on_target, corners); the rest are the
 *  side's own" */
const FIELDS: readonly RateField[] = [
  ownStat('shots_for', 'shots'),
  againstStat('shots_against', 'shots'),
  ownStat('shots_on_target_for', 'shots_on_target'),
  againstStat('shots_on_target_against', 'shots_on_target'),
  ownStat('possession_pct'),
  ownStat('corners_for', 'corners'),
  againstStat('corners_against', 'corners'),
  ...['fouls', 'yellow_cards', 'red_cards', 'passes', 'pass_accuracy_pct', 'saves', 'offsides'].map((name) =>
    ownStat(name),
  ),
  ...['tackles', 'interceptions', 'blocked_shots', 'assists'].map((name) => ownStat(name)),
];

/** "`profile` | `world_cup` for fifa_world_cup, else `club`" */
const isWorldCup = ({ league }: Game): boolean => league === 'fifa_world_cup';
export const profileOf = (event: Game): string => (isWorldCup(event) ? 'world_cup' : 'club');

export function soccerAnswer(earlier: readonly Game[], event: Game) {
  return {
    event_id: event.eventId,
    available: true,
    league_slug: event.league,
    neutral_site: event.neutral_site,
    profile: profileOf(event),
    windows: WINDOWS,
    teams: { home: sideAnswer(earlier, event, 'home'), away: sideAnswer(earlier, event, 'away') },
    league_context: leagueContext(earlier, event),
  };
}

function sideAnswer(earlier: readonly Game[], event: Game, side: Side) {
  const { name, abbreviation, image_url } = event[side];
  const id = event[side].id!;
  const counted = countedGames(earlier, event);
  const own = gamesOf(counted, id);
  return {
    team_id: id,
    name,
    abbreviation,
    image_url,
    rest_days: restDays(earlier, event, id),
    recent_form: recentForm(own, id),
    team_strength: isWorldCup(event)
      ? { source: 'fifa_rank', rank: event[side].fifa_rank }
      : leagueTable(counted, own, id),
    sos: isWorldCup(event) ? null : sosMember(counted, id, 'opp_ppg_avg', false),
    lineup: lineupMember(event.lineup[side]),
    venue: isWorldCup(event) ? { source: 'confederation', confederation: event[side].conference } : venueSplit(own, id),
    rates_l5: rates('l5', own, id, FIELDS),
    rates_season: rates('season', own, id, FIELDS),
    head_to_head: headToHead(earlier, event, (game) => ({
      // "`home_` is this event's home side wherever it was played"
      home_goals: scored(game, event.home.id!),
      away_goals: scored(game, event.away.id!),
    })),
  };
}

const recentForm = (own: readonly Game[], id: number) => ({
  window: 5,
  results: newest(own, 5).map((game) => resultOf(game, id)),
  goals_scored: newest(own, 5).map((game) => scored(game, id)),
  goals_conceded: newest(own, 5).map((game) => conceded(game, id)),
});

/** "`{source, ppg, games, points, w, d, l, gf, ga, gd, rank}`; 3-1-0; rank by points, gd, gf" */
function leagueTable(counted: readonly Game[], own: readonly Game[], id: number) {
  const points = (of: readonly Game[], team: number) => total(of, (game) => pointsOf(game, team));
  const gf = (of: readonly Game[], team: number) => total(of, (game) => scored(game, team));
  const ga = (of: readonly Game[], team: number) => total(of, (game) => conceded(game, team));
  return {
    source: 'league_table_ppg',
    ppg: average(strengthOf(own, id)),
    games: own.length,
    points: points(own, id),
    w: countOf(own, id, 'W'),
    d: countOf(own, id, 'D'),
    l: countOf(own, id, 'L'),
    gf: gf(own, id),
    ga: ga(own, id),
    gd: gf(own, id) - ga(own, id),
    rank: rankOf(counted, id, (of, team) => [points(of, team), gf(of, team) - ga(of, team), gf(of, team)].map(exactly)),
  };
}

/** "`{source, home_ppg, home_games, away_ppg, away_games}`" */
function venueSplit(own: readonly Game[], id: number) {
  const [home, away] = [gamesAt(own, id, 'home'), gamesAt(own, id, 'away')];
  return {
    source: 'home_away_ppg_split',
    home_ppg: average(strengthOf(home, id)),
    home_games: home.length,
    away_ppg: average(strengthOf(away, id)),
    away_games: away.length,
  };
}

/** "players `{name, position, jersey, formation_place, athlete_id}` in the source's order; before: false, null, [], []" */
function lineupMember(lineup: LineupSide | undefined) {
  const listed = (starter: boolean) =>
    (lineup?.players ?? [])
      .filter((player) => player.starter === starter)
      .map(({ ref, name, position, jersey, formation_place }) => ({
        name,
        position: position ?? null,
        jersey: jersey === undefined ? null : String(jersey),
        formation_place: formation_place === undefined ? null : Number(formation_place),
        athlete_id: ref ?? null,
      }));
  return {
    available: lineup !== undefined,
    formation: lineup?.formation ?? null,
    starters: listed(true),
    bench: listed(false),
  };
}

/** "`{avg_goals_per_team}`: goals / (2 x games) of the league's counted games; null without one" */
function leagueContext(earlier: readonly Game[], event: Game) {
  const counted = countedGames(earlier, event);
  const goals = total(counted, ({ scores }) => Number(scores.home) + Number(scores.away));
  return { avg_goals_per_team: average(ratio(exactly(goals), exactly(2 * counted.length))) };
}
