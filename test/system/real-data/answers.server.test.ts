import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../server/cli/launching.ts';
import { booksOf } from './api-answers.ts';
import { type Ask, data, describeWithData, importAll, listEvents, serve } from './real-data-files.ts';

const timeout = 5 * 60_000;

function read(...path: string[]): any {
  const bytes = readFileSync(data(...path));
  return JSON.parse((bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString());
}

/** Imports the files, which must all be taken whole, and serves what came of them. */
async function served(source: string, folder: string, names: readonly string[], ...more: string[]) {
  const files = names.map((name) => data(folder, name));
  for (const file of files) expect(existsSync(file), basename(file)).toBe(true);
  const into = temporaryFolder();
  const { report } = await importAll(into, { source, files }, ...more);
  expect(report).toMatchObject({ rejected: 0 });
  return { ...(await serve(into)), report };
}

const wholeTime = (text: string): string => new Date(text).toISOString().replace('.000Z', 'Z');
const nameOf = (participant: any): string => (participant.team ?? participant.player).name;

/** The one event of a league at a time with these sides, whole. */
async function eventAt(ask: Ask, league: string, startsAt: string, names: readonly string[]): Promise<any> {
  const listed = await listEvents(ask, { league, date: startsAt.slice(0, 10), include_scores: true });
  const found = listed.filter(
    ({ participants, starts_at }) =>
      starts_at === startsAt && participants.every((p: any) => names.includes(nameOf(p))),
  );
  expect(found, `${names.join(' and ')} on ${startsAt}`).toHaveLength(1);
  return ask(`/v1/events/${found[0].id}`);
}

const STATUSES: Record<string, string> = {
  STATUS_SCHEDULED: 'scheduled',
  STATUS_IN_PROGRESS: 'inprogress',
  STATUS_FINAL: 'final',
  STATUS_FULL_TIME: 'final',
  STATUS_POSTPONED: 'postponed',
  STATUS_RETIRED: 'final',
  STATUS_WALKOVER: 'walkover',
  STATUS_CANCELED: 'cancelled',
};

/** What ESPN says of one competition between two teams, in the words of the API. */
function toldOf(competition: any, venue: any) {
  const status = STATUSES[competition.status.type.name]!;
  const played = status !== 'postponed' && status !== 'scheduled';
  const [home, away] = ['home', 'away'].map((side) => competition.competitors.find((c: any) => c.homeAway === side));
  const sides = [home, away].map((competitor: any) => ({
    name: competitor.team.displayName,
    abbreviation: competitor.team.abbreviation,
    score: played ? String(competitor.score) : null,
    periods: played ? (competitor.linescores ?? []).map((line: any) => Number(line.value ?? line.displayValue)) : [],
    winner: status === 'final' ? competitor.winner : null,
  }));
  return {
    starts_at: wholeTime(competition.date),
    status,
    neutral_site: competition.neutralSite ?? false,
    sides,
    venue: { name: venue?.fullName ?? null, city: venue?.address?.city ?? null },
    broadcast: competition.broadcast || undefined,
  };
}

function answeredOf(event: any, broadcast: boolean) {
  return {
    starts_at: event.starts_at,
    status: event.status,
    neutral_site: event.neutral_site,
    sides: event.participants.map((participant: any) => ({
      name: participant.team.name,
      abbreviation: participant.team.abbreviation,
      score: participant.score,
      periods: participant.period_scores.map(({ score }: any) => score),
      winner: participant.is_winner,
    })),
    venue: { name: event.venue.name, city: event.venue.city },
    broadcast: broadcast ? event.broadcast : undefined,
  };
}

async function allPages(ask: Ask, path: string, filter: Record<string, string>): Promise<any[]> {
  const all: any[] = [];
  for (let after: number | undefined; ; ) {
    const page = await ask(path, { ...filter, limit: 100, after_id: after });
    all.push(...page.data);
    if (!page.has_more) return all;
    after = page.next_after_id;
  }
}

describeWithData('answers of ESPN', () => {
  it.each([
    ['nfl', 'nfl_scoreboard_20241215.json.gz'],
    ['nba', 'nba_scoreboard_20241215.json.gz'],
    ['mlb', 'mlb_scoreboard_20250604.json.gz'],
    ['nhl', 'nhl_scoreboard_generic.json'],
    ['epl', 'soccer_eng1_scoreboard.json.gz'],
  ])('a scoreboard of %s reads back field by field', { timeout }, async (league, file) => {
    const { ask } = await served('espn', 'espn', [file]);
    const { events } = read('espn', file);

    expect(await listEvents(ask, { league })).toHaveLength(events.length);
    for (const given of events) {
      const [competition] = given.competitions;
      const told = toldOf({ ...competition, date: given.date }, competition.venue);
      const event = await eventAt(
        ask,
        league,
        told.starts_at,
        told.sides.map(({ name }) => name),
      );
      expect(answeredOf(event, told.broadcast !== undefined)).toEqual(told);
      // ESPN names seasons of these leagues by the year in which they end.
      const year = given.season.year - (league === 'nba' || league === 'nhl' ? 1 : 0);
      expect(event.season_id % 10_000).toBe(year);
      expect(competition.odds ?? []).toEqual([]);
    }
  });

  it('a tournament reads back match by match', { timeout }, async () => {
    const { ask, report } = await served('espn', 'espn', ['tennis_atp_scoreboard.json.gz']);
    const [tournament] = read('espn', 'tennis_atp_scoreboard.json.gz').events;
    const listed = await listEvents(ask, { sport: 'tennis', include_scores: true });

    let compared = 0;
    let left = 0;
    for (const { grouping, competitions } of tournament.groupings) {
      const draw = /^(mens|womens)-(singles|doubles)$/.exec(grouping.slug);
      if (!draw) {
        left += competitions.length;
        continue;
      }
      for (const match of competitions) {
        const status = STATUSES[match.status.type.name]!;
        const names = match.competitors.map((c: any) => (c.athlete ?? c.roster).displayName);
        const found = listed.filter(
          (event) =>
            event.league === (draw[1] === 'mens' ? 'atp' : 'wta') &&
            event.draw_type === draw[2] &&
            event.round === match.round.displayName &&
            event.starts_at === wholeTime(match.date) &&
            event.participants.every((p: any) => names.includes(nameOf(p)) || /TB[DA]/.test(names.join())),
        );
        expect(found.length, `${names} ${match.date}`).toBeGreaterThan(0);
        const [event] = found;
        expect(event.status, match.status.type.name).toBe(status);
        expect(event.competition.name).toBe(tournament.name);
        expect(event.court).toBe(match.venue?.court || null);
        for (const competitor of status === 'final' ? match.competitors : []) {
          const name = (competitor.athlete ?? competitor.roster).displayName;
          const participant = event.participants.find((p: any) => nameOf(p) === name);
          expect(participant.is_winner, name).toBe(competitor.winner);
          expect(participant.period_scores.map(({ score }: any) => score)).toEqual(
            (competitor.linescores ?? []).map(({ value }: any) => value),
          );
          expect(participant.period_scores.map(({ tiebreak }: any) => tiebreak)).toEqual(
            (competitor.linescores ?? []).map(({ tiebreak }: any) => tiebreak ?? null),
          );
        }
        compared++;
      }
    }
    const notes = report['notes'].filter(({ code }: any) => code === 'unsupported_draw');
    expect([compared, left]).toEqual([listed.length, notes[0].count]);
  });

  it.each([
    ['nba', ['basketball_nba_game_summary_401772994.json.gz'], null],
    ['nfl', ['nfl_game_summary_401547417.json.gz', 'nfl_odds_401547417.json'], null],
    ['nfl', ['football_nfl_game_summary_401547417.json.gz', 'football_nfl_odds_401547417.json'], null],
  ])('a summary of %s with its odds reads back field by field', { timeout }, async (league, files) => {
    const { ask } = await served('espn', 'espn', files);
    const summary = read('espn', files[0]!);
    const [competition] = summary.header.competitions;
    const told = toldOf(competition, summary.gameInfo.venue);

    const event = await eventAt(
      ask,
      league,
      told.starts_at,
      told.sides.map(({ name }) => name),
    );
    expect(answeredOf(event, false)).toEqual({ ...told, broadcast: undefined });

    // Injuries bear dates of their own; those after the game belong to later ones.
    const over = Date.parse(event.updated_at);
    const injuries = (await ask(`/v1/events/${event.id}/injuries`)).injuries.map(
      (row: any) => `${row.team} ${row.player}`,
    );
    const reported = summary.injuries.flatMap((group: any) =>
      group.injuries
        .filter((one: any) => Date.parse(one.date) < Math.min(over, Date.parse(told.starts_at) + 3_600_000))
        .map((one: any) => `${group.team.displayName} ${one.athlete.displayName}`),
    );
    expect([...new Set(injuries)].sort()).toEqual([...new Set(reported)].sort());

    if (!files[1]) return;
    const books = booksOf(await ask(`/v1/events/${event.id}/odds`, { bookmaker: 'all' }), event);
    const items = read('espn', files[1]).items as any[];
    const bare = (name: string) => name.toLowerCase().replace(/live|odds|[^a-z0-9]/g, '');
    let compared = 0;
    for (const item of items) {
      const { homeTeamOdds: home, awayTeamOdds: away, provider } = item;
      if (!home?.moneyLine || !away?.moneyLine) continue;
      const live = /live/i.test(provider.name);
      const slug = Object.keys(books).find(
        (name) => bare(name) === bare(provider.name) && /_live$/.test(name) === live,
      );
      expect(slug, provider.name).toBeDefined();
      const book = books[slug!]!;
      // What is quoted as current is newer than the plain numbers beside it.
      const current = (team: any) => Number(team.current?.moneyLine?.american ?? team.moneyLine);
      expect(book['h2h'], provider.name).toEqual({ home: [current(home), null], away: [current(away), null] });
      if (item.overUnder && item.overOdds && !item.current) {
        expect(book['totals'], provider.name).toEqual({
          over: [item.overOdds, item.overUnder],
          under: [item.underOdds, item.overUnder],
        });
      }
      if (item.spread && home.spreadOdds && !home.current) {
        expect(book['spreads'], provider.name).toEqual({
          home: [home.spreadOdds, item.spread],
          away: [away.spreadOdds, -item.spread],
        });
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(3);
  });

  it('teams, standings and a roster read back', { timeout }, async () => {
    const lists = ['football_nfl_teams_cross_sport.json.gz', 'hockey_nhl_teams.json.gz', 'nba_standings_v2.json.gz'];
    const at = '2025-05-01T00:00:00Z';
    const { ask } = await served('espn', 'espn', [...lists, 'nhl_team_roster_TOR.json.gz'], '--at', at);
    const teams = await allPages(ask, '/v1/teams', {});
    const shown = (sport: string) => teams.filter((team) => team.sport === sport);

    for (const [index, sport] of ['nfl', 'nhl'].entries()) {
      const given = read('espn', lists[index]!).sports[0].leagues[0].teams.map(({ team }: any) => team);
      const say = (name: string, abbreviation: string) => `${name} ${abbreviation}`;
      expect(
        shown(sport)
          .map((team) => say(team.name, team.abbreviation))
          .sort(),
      ).toEqual(given.map((team: any) => say(team.displayName, team.abbreviation)).sort());
    }
    for (const conference of read('espn', lists[2]!).children) {
      for (const { team } of conference.standings.entries) {
        const found = shown('nba').find(({ name }) => name === team.displayName);
        expect(found).toMatchObject({ abbreviation: team.abbreviation, conference: conference.name });
      }
    }
    const roster = read('espn', 'nhl_team_roster_TOR.json.gz');
    const players = await allPages(ask, '/v1/players', { sport: 'nhl' });
    const athletes = roster.athletes.flatMap(({ items }: any) => items);
    expect(players.filter((player) => player.current_team_name === roster.team.displayName)).toHaveLength(
      athletes.length,
    );
    for (const athlete of athletes) {
      const found = players.find(({ full_name }) => full_name === athlete.fullName)!;
      expect(found, athlete.fullName).toMatchObject({
        birthdate: athlete.dateOfBirth?.slice(0, 10) ?? null,
        position: athlete.position.abbreviation,
        handedness: { L: 'left', R: 'right' }[athlete.hand?.abbreviation as string] ?? null,
      });
      // Inches and pounds.
      expect(found.height_cm).toBeCloseTo(athlete.height * 2.54, -0.5);
      expect(found.weight_kg).toBeCloseTo(athlete.weight * 0.45359237, -0.5);
    }
  });

  it('answers without an event, of links alone or of nothing are taken without a word said for them', {
    timeout,
  }, async () => {
    const movements = 'odds_movement_football_nfl_401249063_provider1002_type0.json';
    const files = ['injuries_mlb_team_15.json', 'injuries_nfl_team_8.json', 'tennis_atp_players.json', movements];
    const { ask, report } = await served('espn', 'espn', files);

    const counts = Object.fromEntries(report['notes'].map(({ code, count }: any) => [code, count]));
    expect(counts['links_only']).toBe(read('espn', files[0]!).items.length + read('espn', files[1]!).items.length);
    expect(report).toMatchObject({ received: read('espn', movements).items.length, accepted: 0 });
    expect(report['quarantined'] + report['unchanged']).toBe(report['received']);
    expect(await listEvents(ask, { league: 'nfl' })).toEqual([]);
  });

  it('odds of a game of a scoreboard are placed by its start', { timeout }, async () => {
    const { ask } = await served('espn', 'espn', ['mlb_scoreboard_20250604.json.gz', 'mlb_odds_401695826.json']);
    const given = read('espn', 'mlb_scoreboard_20250604.json.gz').events.find(({ id }: any) => id === '401695826');
    const [item] = read('espn', 'mlb_odds_401695826.json').items;
    const names = given.competitions[0].competitors.map((c: any) => c.team.displayName);
    const event = await eventAt(ask, 'mlb', wholeTime(given.date), names);
    const books = booksOf(await ask(`/v1/events/${event.id}/odds`, { bookmaker: 'all' }), event);
    expect(Object.keys(books)).toContain('espn_bet');
    expect(books['espn_bet']!['h2h']!['home']![0]).toBe(
      Number(item.homeTeamOdds.current?.moneyLine?.american ?? item.homeTeamOdds.moneyLine),
    );
  });
});

/** The Odds API's names of bookmakers that the server calls otherwise. */
const SLUGS: Record<string, string> = { williamhill_us: 'caesars', betonlineag: 'betonline', hardrockbet: 'hardrock' };

describeWithData('answers of The Odds API', () => {
  it('version 4 reads back price by price', { timeout }, async () => {
    const { ask } = await served('the-odds-api', 'odds_api', ['v4_get_odds_example.json']);
    const { response: given } = read('odds_api', 'v4_get_odds_example.json');

    for (const one of given) {
      const event = await eventAt(ask, 'nba', wholeTime(one.commence_time), [one.home_team, one.away_team]);
      expect(event.participants.map(nameOf)).toEqual([one.home_team, one.away_team]);
      const odds = await ask(`/v1/events/${event.id}/odds`, { bookmaker: 'all' });
      expect(odds.bookmakers.map(({ bookmaker }: any) => bookmaker).sort()).toEqual(
        one.bookmakers.map(({ key }: any) => key).sort(),
      );
      for (const { key, markets } of one.bookmakers) {
        const book = odds.bookmakers.find(({ bookmaker }: any) => bookmaker === key);
        for (const market of markets) {
          const said = book.markets.find((known: any) => known.key === market.key);
          const row = ({ outcome, name, price, point }: any) => [outcome ?? name, price, point ?? null];
          expect(said.outcomes.map(row).sort()).toEqual(market.outcomes.map(row).sort());
        }
      }
    }
  });

  it('version 3 reads back price by price', { timeout }, async () => {
    const { ask } = await served('the-odds-api', 'odds_api', ['ehersch_mlb_v3_shape_2024.json.gz']);
    const { data: events } = read('odds_api', 'ehersch_mlb_v3_shape_2024.json.gz');
    const american = (decimal: number): number => {
      const won = Math.round(decimal * 1000 - 1000) / 1000;
      return won >= 1 ? Math.round(won * 100) : -Math.round(100 / won);
    };

    let compared = 0;
    for (const one of events) {
      const event = await eventAt(ask, 'mlb', wholeTime(new Date(one.commence_time * 1000).toISOString()), one.teams);
      expect(nameOf(event.participants[0])).toBe(one.home_team);
      const books = booksOf(await ask(`/v1/events/${event.id}/odds`, { bookmaker: 'all' }), event);
      for (const { site_key, odds } of one.sites) {
        if (odds.h2h.some((price: number) => price <= 1)) continue;
        const side = (index: number) => (one.teams[index] === one.home_team ? 'home' : 'away');
        const slug = SLUGS[site_key] ?? site_key;
        expect(books[slug]?.['h2h'], site_key).toEqual({
          [side(0)]: [american(odds.h2h[0]), null],
          [side(1)]: [american(odds.h2h[1]), null],
        });
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });
});
