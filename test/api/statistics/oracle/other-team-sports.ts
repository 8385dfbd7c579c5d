import { gamesAt, headToHead, newest, rankOf, restDays, sosMember, WINDOWS } from './common-members.ts';
import { countedGames, gamesOf } from './counted-games.ts';
import { exactly, share } from './exact.ts';
import type { Game, Side } from './game.ts';
import { playerBox } from './player-box.ts';
import { againstStat, ownStat, type RateField, rates, scoreAgainst, scoreFor } from './rates.ts';
import { conceded, countOf, isOvertimeLoss, pointsOf, resultOf, scored, strengthOf, total } from './results.ts';

const words = (text: string): readonly string[] => text.split(/\s+/);
const FOOTBALL = words(
  `points first_downs total_yards net_passing_yards rushing_yards passing_completions passing_attempts rushing_attempts
   third_down_conversions third_down_attempts red_zone_conversions red_zone_attempts penalties penalty_yards turnovers
   sacks_taken possession_time_seconds`,
);
const BASKETBALL = words(
  `points field_goals_made field_goals_attempted three_pointers_made three_pointers_attempted free_throws_made
   free_throws_attempted rebounds offensive_rebounds defensive_rebounds assists steals blocks turnovers fouls`,
);
/** The stats of each sport. "the first is from the score, the others from `box.teams`" */
export const STATS: Readonly<Record<string, readonly string[]>> = {
  nfl: FOOTBALL,
  ncaaf: FOOTBALL,
  nba: BASKETBALL,
  ncaab: BASKETBALL,
  mlb: words('runs hits doubles triples home_runs rbis walks strikeouts stolen_bases at_bats left_on_base errors'),
  nhl: words(
    `goals shots_on_goal hits blocked_shots power_play_goals power_play_opportunities penalty_minutes faceoffs_won
     giveaways takeaways`,
  ),
};

/** "each stat S of the sport's list as `S_for` (own) and `S_against` (the other side's)" */
const fieldsOf = (sport: string): RateField[] =>
  STATS[sport]!.flatMap((stat, index) =>
    index === 0
      ? [scoreFor(`${stat}_for`), scoreAgainst(`${stat}_against`)]
      : [ownStat(`${stat}_for`, stat), againstStat(`${stat}_against`, stat)],
  );

export function otherTeamSportAnswer(earlier: readonly Game[], event: Game) {
  return {
    event_id: event.eventId,
    available: true,
    league_slug: event.league,
    neutral_site: event.neutral_site,
    windows: WINDOWS,
    teams: { home: sideAnswer(earlier, event, 'home'), away: sideAnswer(earlier, event, 'away') },
    player_box: playerBox(event),
  };
}

function sideAnswer(earlier: readonly Game[], event: Game, side: Side) {
  const { name, abbreviation, image_url } = event[side];
  const id = event[side].id!;
  const counted = countedGames(earlier, event);
  const own = gamesOf(counted, id);
  const isHockey = event.sport === 'nhl';
  return {
    team_id: id,
    name,
    abbreviation,
    image_url,
    rest_days: restDays(earlier, event, id),
    recent_form: recentForm(own, id),
    team_strength: isHockey ? pointsTable(counted, own, id) : winTable(counted, own, id),
    sos: sosMember(counted, id, isHockey ? 'opp_points_pct_avg' : 'opp_win_pct_avg', true),
    venue: venueSplit(own, id, isHockey ? 'points_pct' : 'win_pct'),
    rates_l5: rates('l5', own, id, fieldsOf(event.sport)),
    rates_season: rates('season', own, id, fieldsOf(event.sport)),
    head_to_head: headToHead(earlier, event, (game) => ({
      // "`home_` is this event's home side wherever it was played"
      home_score: scored(game, event.home.id!),
      away_score: scored(game, event.away.id!),
    })),
  };
}

const recentForm = (own: readonly Game[], id: number) => ({
  window: 5,
  results: newest(own, 5).map((game) => resultOf(game, id)),
  scored: newest(own, 5).map((game) => scored(game, id)),
  conceded: newest(own, 5).map((game) => conceded(game, id)),
});

/** What both tables end in. "rank by win_pct (points_pct), diff, scored" */
function scoresAndRank(counted: readonly Game[], own: readonly Game[], id: number) {
  const all = (of: readonly Game[], team: number) => total(of, (game) => scored(game, team));
  const against = (of: readonly Game[], team: number) => total(of, (game) => conceded(game, team));
  return {
    scored: all(own, id),
    conceded: against(own, id),
    diff: all(own, id) - against(own, id),
    rank: rankOf(counted, id, (of, team) => [
      strengthOf(of, team)!,
      exactly(all(of, team) - against(of, team)),
      exactly(all(of, team)),
    ]),
  };
}

/** "`{source: "win_pct", win_pct, games, w, l, t, scored, conceded, diff, rank}`" */
const winTable = (counted: readonly Game[], own: readonly Game[], id: number) => ({
  source: 'win_pct',
  win_pct: share(strengthOf(own, id)),
  games: own.length,
  w: countOf(own, id, 'W'),
  l: countOf(own, id, 'L'),
  t: countOf(own, id, 'T'),
  ...scoresAndRank(counted, own, id),
});

/** "NHL `{source: "points_pct", points_pct, games, points, w, l, otl, scored, conceded, diff, rank}`" */
function pointsTable(counted: readonly Game[], own: readonly Game[], id: number) {
  const otl = own.filter((game) => isOvertimeLoss(game, id)).length;
  return {
    source: 'points_pct',
    points_pct: share(strengthOf(own, id)),
    games: own.length,
    points: total(own, (game) => pointsOf(game, id)),
    w: countOf(own, id, 'W'),
    l: countOf(own, id, 'L') - otl,
    otl,
    ...scoresAndRank(counted, own, id),
  };
}

/** "`{source: "home_away_win_pct_split", home_win_pct, home_games, away_win_pct, away_games}`, NHL ... `_points_pct`" */
function venueSplit(own: readonly Game[], id: number, strength: string) {
  const [home, away] = [gamesAt(own, id, 'home'), gamesAt(own, id, 'away')];
  return {
    source: `home_away_${strength}_split`,
    [`home_${strength}`]: share(strengthOf(home, id)),
    home_games: home.length,
    [`away_${strength}`]: share(strengthOf(away, id)),
    away_games: away.length,
  };
}
