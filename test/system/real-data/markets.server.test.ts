import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../server/cli/launching.ts';
import { rowsOf, textOf } from '../../sources/import-file.ts';
import { bare } from './api-answers.ts';
import { type Ask, data, describeWithData, importAll, listEvents, serve } from './real-data-files.ts';

const timeout = 5 * 60_000;
const ANSWER_OF = { nfl: 'nfl_game_summary_401547417.json.gz', nba: 'basketball_nba_game_summary_401772994.json.gz' };

/** Books of this source that have names of their own. */
const BOOKS: Readonly<Record<string, string>> = { 15: 'consensus', 68: 'betmgm', 69: 'caesars', 71: 'betrivers' };

interface Part {
  readonly source: string;
  readonly file: string;
}

/** A server on what came of these files, which must all be taken without a refusal. */
async function servedWith(...parts: readonly Part[]) {
  const folder = temporaryFolder();
  for (const { source, file } of parts) {
    expect(existsSync(file), file).toBe(true);
    expect((await importAll(folder, { source, files: [file] })).report).toMatchObject({ rejected: 0 });
  }
  return serve(folder);
}

const totalResult = (current: number, line: number) => (current > line ? 'over' : current < line ? 'under' : 'push');
const spreadResult = (ahead: number, line: number) => (ahead + line > 0 ? 'won' : ahead + line < 0 ? 'lost' : 'push');
const summaryOf = (league: keyof typeof ANSWER_OF): any => JSON.parse(textOf(data('espn', ANSWER_OF[league])));
const oneEvent = async (ask: Ask, league: string): Promise<any> => {
  const events = await listEvents(ask, { league });
  expect(events).toHaveLength(1);
  return ask(`/v1/events/${events[0].id}`);
};

describeWithData('lines of a half', () => {
  it('stand beside the score of the half, and are graded by it', { timeout }, async () => {
    const lines = data('nfl', 'action_game_lines_2023.csv.gz');
    const { ask } = await servedWith(
      { source: 'espn', file: data('espn', ANSWER_OF.nfl) },
      { source: 'action-network', file: lines },
    );
    const event = await oneEvent(ask, 'nfl');
    const { period_odds: items } = await ask(`/v1/events/${event.id}/period-odds`);

    const [home, away] = ['home', 'away'].map((side) => {
      const { linescores } = summaryOf('nfl').header.competitions[0].competitors.find((c: any) => c.homeAway === side);
      return Number(linescores[0].displayValue) + Number(linescores[1].displayValue);
    }) as [number, number];
    const rows = rowsOf(lines);
    const { event_id: id } = rows.find(({ week, team, side }) => week === '2' && team === 'ATL' && side === 'home')!;
    const half = rows.filter(
      (row) => row['event_id'] === id && row['period'] === 'firsthalf' && row['book_id'] === '15',
    );
    const priced = (type: string, side: string) => {
      const row = half.find(({ line_type, side: other }) => line_type === type && other === side)!;
      return { line: Number(row['value']), price: Number(row['odds']) };
    };
    const shared = { scope: '1H', home_score: home, away_score: away, scope_complete: true, settleable: true };
    const [spread, total] = [priced('spread', 'home'), priced('total', 'over')];

    expect(items).toEqual([
      {
        ...shared,
        market: 'first_half_spreads',
        line: spread.line,
        current: home - away,
        pct_of_line: null,
        result: null,
        home_result: spreadResult(home - away, spread.line),
        away_result: spreadResult(away - home, -spread.line),
        books: { consensus: { home: spread.price, away: priced('spread', 'away').price } },
      },
      {
        ...shared,
        market: 'first_half_totals',
        line: total.line,
        current: home + away,
        pct_of_line: expect.closeTo(((home + away) / total.line) * 100, 0),
        result: totalResult(home + away, total.line),
        home_result: null,
        away_result: null,
        books: { consensus: { over: total.price, under: priced('total', 'under').price } },
      },
    ]);
  });
});

describeWithData('totals of teams', () => {
  it('stand beside the final score of each, and are graded by it', { timeout }, async () => {
    const file = data('ncaaf', 'action_scoreboard_2025_wk2.json.gz');
    const { ask } = await servedWith({ source: 'action-network', file });
    const events = await listEvents(ask, { league: 'ncaaf', include_scores: true });
    let graded = 0;
    let twice = 0;
    let ofNobody = 0;
    const none: string[] = [];
    for (const game of JSON.parse(textOf(file)).games) {
      const team = (side: string) => game.teams.find(({ id }: any) => id === game[`${side}_team_id`]).full_name;
      const found = events.filter(
        ({ participants }) =>
          bare(participants[0].team.name) === bare(team('home')) &&
          bare(participants[1].team.name) === bare(team('away')),
      );
      expect(found, game.id).toHaveLength(1);
      const { team_props: items, available } = await ask(`/v1/events/${found[0].id}/team-props`);

      // Each book's price of each outcome but the opening ones; of two that it gives at one moment one is taken.
      const given = new Map<string, number[]>();
      for (const [id, { event }] of Object.entries<any>(game.markets ?? {})) {
        for (const row of id === '30' ? [] : (event?.core_bet_type_6_team_score ?? [])) {
          if (row.is_live || Math.abs(row.odds) < 100) continue;
          // Some say of no team whose total it is.
          if (![game.home_team_id, game.away_team_id].includes(row.team_id)) {
            ofNobody++;
            continue;
          }
          const name = [
            BOOKS[id] ?? `action_${id}`,
            row.team_id === game.home_team_id ? 'home' : 'away',
            row.side,
          ].join(' ');
          given.set(name, [...(given.get(name) ?? []), row.value]);
        }
      }
      const shown = new Map<string, number>();
      for (const { side, line, books } of items) {
        for (const [book, prices] of Object.entries<any>(books)) {
          for (const name of ['over', 'under'])
            if (prices[name] !== null) shown.set([book, side, name].join(' '), line);
        }
      }
      expect([...shown.keys()].sort(), game.id).toEqual([...given.keys()].sort());
      for (const [name, line] of shown) expect(given.get(name), `${game.id} ${name}`).toContain(line);
      twice += [...given.values()].filter((lines) => lines.length > 1).length;
      if (!available) none.push(`${game.id}: no prices of team totals`);
      for (const item of items) {
        const score = game.boxscore[`total_${item.side}_points`];
        expect(item).toMatchObject({ current: score, result: totalResult(score, item.line), settleable: true });
        graded++;
      }
    }
    console.log(JSON.stringify({ games: events.length, graded, twice, ofNobody, none }));
    expect(graded).toBeGreaterThan(100);
  });
});

/** Of which numbers of ESPN's box a market is the sum: `group key`, or `group key/other` for one of a pair. */
const MARKETS: Readonly<Record<keyof typeof ANSWER_OF, Readonly<Record<string, readonly string[]>>>> = {
  nba: {
    player_points: ['points'],
    player_rebounds: ['rebounds'],
    player_assists: ['assists'],
    player_threes: ['threePointFieldGoalsMade'],
    player_blocks: ['blocks'],
    player_steals: ['steals'],
    player_turnovers: ['turnovers'],
    player_frees_made: ['freeThrowsMade'],
    player_field_goals: ['fieldGoalsMade'],
    player_points_rebounds_assists: ['points', 'rebounds', 'assists'],
    player_blocks_steals: ['blocks', 'steals'],
  },
  nfl: {
    player_pass_yds: ['passing passingYards'],
    player_pass_tds: ['passing passingTouchdowns'],
    player_pass_interceptions: ['passing interceptions'],
    player_pass_completions: ['passing completions'],
    player_rush_yds: ['rushing rushingYards'],
    player_rush_attempts: ['rushing rushingAttempts'],
    player_receptions: ['receiving receptions'],
    player_reception_yds: ['receiving receivingYards'],
    player_rush_reception_yds: ['rushing rushingYards', 'receiving receivingYards'],
    player_sacks: ['defensive sacks'],
    player_solo_tackles: ['defensive soloTackles'],
    player_tackles_assists: ['defensive totalTackles'],
    player_defensive_interceptions: ['interceptions interceptions'],
    player_field_goals: ['kicking fieldGoalsMade'],
    player_kicking_points: ['kicking totalKickingPoints'],
    player_pats: ['kicking extraPointsMade'],
  },
};

interface Row {
  readonly name: string;
  readonly dnp: boolean;
  readonly numbers: ReadonlyMap<string, number>;
}

/** Each player of ESPN's box with his numbers by group and key. */
function boxOf(summary: any): Row[] {
  const rows = new Map<string, { name: string; dnp: boolean; numbers: Map<string, number> }>();
  for (const { statistics } of summary.boxscore.players) {
    for (const { name: group, keys, athletes } of statistics) {
      for (const { athlete, didNotPlay, stats } of athletes) {
        const row = rows.get(athlete.id) ?? { name: athlete.displayName, dnp: didNotPlay === true, numbers: new Map() };
        rows.set(athlete.id, row);
        for (const [index, key] of keys.entries()) {
          const parts = key.split(/[-/]/);
          const values = parts.length === 2 ? (stats[index]?.split(/[-/]/) ?? []) : [stats[index]];
          for (const [place, part] of parts.entries()) {
            const number = Number(values[place] ?? 'none');
            if (Number.isFinite(number)) row.numbers.set(group ? `${group} ${part}` : part, number);
          }
        }
      }
    }
  }
  return [...rows.values()];
}

/**
 * No answer that there is holds props of a game with a box: the box is real, and the prices are made for it, one line of
 * each market for each player, below, at and above what he did by turns.
 */
function pricesFor(league: keyof typeof ANSWER_OF, folder: string) {
  const summary = summaryOf(league);
  const [competition] = summary.header.competitions;
  const name = (side: string) => competition.competitors.find((c: any) => c.homeAway === side).team.displayName;
  let turn = 0;
  const expected = new Map<string, { line: number; current: number | null; result: string }>();
  const markets = Object.entries(MARKETS[league]).map(([key, parts]) => ({
    key,
    last_update: competition.date.replace('Z', ':00Z'),
    outcomes: boxOf(summary).flatMap(({ name: player, dnp, numbers }) => {
      const did = parts.reduce((sum, part) => sum + (numbers.get(part) ?? 0), 0);
      const point = did + [0.5, 0, -0.5][turn++ % 3]!;
      const result = dnp ? 'dnp' : totalResult(did, point);
      expected.set(`${player} ${key}`, { line: point, current: dnp ? null : did, result });
      return ['Over', 'Under'].map((side) => ({ name: side, description: player, price: -110, point }));
    }),
  }));
  const answer = {
    id: `made-for-${league}`,
    sport_key: league === 'nfl' ? 'americanfootball_nfl' : 'basketball_nba',
    commence_time: competition.date,
    home_team: name('home'),
    away_team: name('away'),
    bookmakers: [{ key: 'draftkings', title: 'DraftKings', markets }],
  };
  const file = join(folder, 'odds.json');
  writeFileSync(file, JSON.stringify(answer));
  return { file, expected };
}

/** The names of these markets in the answers of the API. */
const CALLED: Readonly<Record<string, string>> = {
  player_threes: 'three_pointers_made',
  player_frees_made: 'free_throws_made',
  player_field_goals: 'field_goals_made',
  player_pass_yds: 'passing_yards',
  player_pass_tds: 'passing_touchdowns',
  player_pass_interceptions: 'passing_interceptions',
  player_pass_completions: 'passing_completions',
  player_rush_yds: 'rushing_yards',
  player_rush_attempts: 'rushing_attempts',
  player_reception_yds: 'receiving_yards',
  player_rush_reception_yds: 'rushing_receiving_yards',
  player_tackles_assists: 'total_tackles',
  player_pats: 'extra_points_made',
};

describeWithData('props of players', () => {
  it.each(['nba', 'nfl'] as const)('of %s are graded by what the box of the game says', { timeout }, async (league) => {
    const { file, expected } = pricesFor(league, temporaryFolder());
    const { ask } = await servedWith(
      { source: 'espn', file: data('espn', ANSWER_OF[league]) },
      { source: 'the-odds-api', file },
    );
    const event = await oneEvent(ask, league);
    const { player_props: items } = await ask(`/v1/events/${event.id}/player-props`);

    const shown = new Map(
      items.map(({ player, market, line, current, result }: any) => [`${player} ${market}`, { line, current, result }]),
    );
    const should = new Map(
      [...expected].map(([name, grade]) => {
        const [key] = /player_\w+$/.exec(name)!;
        return [name.replace(key, CALLED[key] ?? key.replace('player_', '')), grade];
      }),
    );
    expect(shown).toEqual(should);
    const results: Record<string, number> = {};
    for (const { result } of items) results[result] = (results[result] ?? 0) + 1;
    console.log(JSON.stringify({ league, items: items.length, results }));
    expect(results).toMatchObject({ over: expect.anything(), under: expect.anything(), push: expect.anything() });
  });
});

describeWithData('props that there are', () => {
  it('are of games without a box, so that none of them can be graded here', { timeout }, () => {
    const boxed = Object.keys(ANSWER_OF).map((league) => {
      const { date, competitors } = summaryOf(league as keyof typeof ANSWER_OF).header.competitions[0];
      return `${date.slice(0, 10)} ${competitors.map(({ team }: any) => team.displayName).sort()}`;
    });
    const [football, soccer] = [
      rowsOf(data('nfl', 'action_player_props_2022.csv.gz')),
      rowsOf(data('soccer', 'euro24_wc22_prop_lines.csv.gz')),
    ];
    console.log(JSON.stringify({ boxed, props: { football: football.length, soccer: soccer.length } }));

    expect(football.length).toBeGreaterThan(100_000);
    // They tell of a season alone, which is that of no box.
    expect(new Set(football.map(({ season }) => season))).toEqual(new Set(['2022']));
    expect(boxed.filter((game) => game.startsWith('2022'))).toEqual([]);
    expect(soccer.length).toBeGreaterThan(500);
    const games = soccer.map(({ date, home_team, away_team }) => `${date} ${[home_team, away_team].sort()}`);
    expect(games.filter((game) => boxed.includes(game))).toEqual([]);
  });
});
