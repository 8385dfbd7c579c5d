import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const folder = temporaryFolder();
const RIGHT = { sport: 'soccer', name: 'One', season: { start_month: 7, year_name: 'span' } };

const withFormat = (format: object, sport: unknown = 'soccer') => ({ one: { ...RIGHT, sport, format } });
const withRules = (sport: string, rules: object) => ({ one: { ...RIGHT, sport, rules } });

function read(leagues: unknown): void {
  const CONFIG = folder.path('config.json');
  writeFileSync(CONFIG, JSON.stringify({ leagues }));
  readConfig({ CONFIG });
}

describe('leagues of the file that CONFIG names', () => {
  it.each([
    ['an unknown member', { one: { ...RIGHT, colour: 'red' } }, 'unknown member leagues.one.colour'],
    [
      'an unknown provider',
      { one: { ...RIGHT, providers: { bet9: 'x' } } },
      'unknown member leagues.one.providers.bet9',
    ],
    [
      'an unknown member of the season',
      { one: { ...RIGHT, season: { ...RIGHT.season, half: 1 } } },
      'leagues.one.season.half',
    ],
    ['no name', { one: { ...RIGHT, name: undefined } }, 'leagues.one.name'],
    ['an unknown sport', { one: { ...RIGHT, sport: 'chess' } }, 'leagues.one.sport'],
    [
      'a sport of its own like tennis',
      { one: { ...RIGHT, sport: { slug: 'one', like: 'tennis' } } },
      'leagues.one.sport.like: no sport can be like tennis',
    ],
    [
      'a sport of its own like none',
      { one: { ...RIGHT, sport: { slug: 'one', like: 'chess' } } },
      'leagues.one.sport.like',
    ],
    [
      'a sport of its own with more',
      { one: { ...RIGHT, sport: { slug: 'one', like: 'nba', x: 1 } } },
      'unknown member leagues.one.sport.x',
    ],
    [
      'a sport of its own that is built in',
      { one: { ...RIGHT, sport: { slug: 'nba', like: 'nba' } } },
      'leagues.one.sport.slug',
    ],
    [
      'one sport of its own by two rules',
      {
        one: { ...RIGHT, sport: { slug: 'own', like: 'nba' } },
        two: { ...RIGHT, sport: { slug: 'own', like: 'nfl' } },
      },
      'leagues.two.sport.like: another league has nba for own',
    ],
    ['a country of two letters', { one: { ...RIGHT, country: 'GB' } }, 'leagues.one.country'],
    [
      'a month too many',
      { one: { ...RIGHT, season: { ...RIGHT.season, start_month: 13 } } },
      'leagues.one.season.start_month',
    ],
    [
      'another year name',
      { one: { ...RIGHT, season: { ...RIGHT.season, year_name: 'both' } } },
      'leagues.one.season.year_name',
    ],
    ['no address of ESPN', { one: { ...RIGHT, providers: { espn: 'eng.2' } } }, 'leagues.one.providers.espn'],
    [
      'providers of a tennis tour',
      { one: { ...RIGHT, sport: 'tennis', providers: { espn: 'tennis/x' } } },
      'leagues.one.providers',
    ],
    ['a slug with capitals', { One: RIGHT }, 'leagues.One'],
    ['a built-in league', { epl: RIGHT }, 'leagues.epl'],
    [
      'one name of a provider twice',
      { one: { ...RIGHT, providers: { espn: 'soccer/x' } }, two: { ...RIGHT, providers: { espn: 'soccer/x' } } },
      'leagues.two.providers.espn: leagues.one has the same',
    ],
    ['two slugs of one id', { lg_2859: RIGHT, lg_4444: RIGHT }, 'leagues.lg_4444: leagues.lg_2859 has the same id'],
    ['rules with an unknown member', withRules('nba', { quarters: 4 }), 'unknown member leagues.one.rules.quarters'],
    ['five quarters', withRules('nba', { periods: 5 }), 'leagues.one.rules.periods: must be one of 2, 3, 4'],
    ['four innings', withRules('mlb', { periods: 4 }), 'leagues.one.rules.periods: must be one of 5, 6, 7, 8, 9'],
    ['minutes of innings', withRules('mlb', { period_minutes: 9 }), 'leagues.one.rules.period_minutes: is not allowed'],
    ['no minute', withRules('nba', { period_minutes: 0 }), 'leagues.one.rules.period_minutes: must be 1 to 60'],
    ['an unknown overtime', withRules('nfl', { overtime: 'coin' }), 'leagues.one.rules.overtime: must be one of none,'],
    [
      'an extra time without a clock',
      withRules('soccer', { overtime: 'untimed' }),
      'leagues.one.rules.overtime: must be one of none, timed where the sport is soccer',
    ],
    [
      'minutes of an overtime that has none',
      withRules('ncaaf', { overtime_minutes: 5 }),
      'leagues.one.rules.overtime_minutes: is not allowed: the overtime is untimed',
    ],
    ['a shootout of football', withRules('nfl', { shootout: true }), 'leagues.one.rules.shootout: must be false'],
    ['draws in words', withRules('nfl', { draws: 'yes' }), 'leagues.one.rules.draws: must be true or false'],
    [
      'no draws and nothing that decides',
      withRules('nba', { overtime: 'none', draws: false }),
      'leagues.one.rules.draws: must be true where neither',
    ],
    [
      'rules of a tour',
      withRules('tennis', { draws: true }),
      'leagues.one.rules: leagues of tennis have no rules of their own',
    ],
    [
      'rules that a sport of its own cannot have',
      { one: { ...RIGHT, sport: { slug: 'own', like: 'mlb' }, rules: { overtime: 'timed' } } },
      'leagues.one.rules.overtime: must be one of none, untimed where the sport is mlb',
    ],
    [
      'points of a league that counts wins',
      withRules('nba', { points: { loss: 1 } }),
      'leagues.one.rules.points.win: must be given',
    ],
    [
      'more points than there are',
      withRules('nhl', { points: { win: 11 } }),
      'leagues.one.rules.points.win: must be a whole number of 1 to 10',
    ],
    [
      'half a point',
      withRules('nhl', { points: { draw: 0.5 } }),
      'leagues.one.rules.points.draw: must be a whole number of 0 to 10',
    ],
    [
      'a draw that is worth more than a win',
      withRules('soccer', { points: { win: 2, draw: 3 } }),
      'leagues.one.rules.points.draw: must be at most 2, which a win is worth; it is 3',
    ],
    [
      'an overtime win where no overtime is played',
      withRules('nba', { overtime: 'none', points: { win: 2, overtime_win: 1 } }),
      'leagues.one.rules.points.overtime_win: is not allowed: neither an overtime nor a shootout is played',
    ],
    [
      'a win by penalties where level games are draws',
      withRules('soccer', { points: { overtime_win: 2 } }),
      'leagues.one.rules.points.overtime_win: is not allowed in a league of soccer where draws is true',
    ],
    [
      'points of a shutout',
      withRules('nhl', { points: { shutout: 1 } }),
      'unknown member leagues.one.rules.points.shutout',
    ],
    ['more than 200', Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`one_${n}`, RIGHT])), 'at most 200'],
  ])('given %s, then the start stops with its path', (_, leagues, path) => {
    expect(() => read(leagues)).toThrow(path);
  });

  it('given a right file after the process began without it, then the start stops, since the catalogue stands', () => {
    expect(() => read({ one: RIGHT })).toThrow('leagues.one: leagues are read as the process begins');
  });

  it('given the examples of the docs, then each is right', () => {
    const example = JSON.parse(readFileSync('docs/leagues/wnba.json', 'utf8'));
    expect(() => read(example.leagues)).toThrow('leagues.wnba: leagues are read as the process begins');
  });
});

describe('what the table of a league of the file decides', () => {
  const TABLE = { title: 'table', double_round_of: 18, relegated: 2 };

  it.each([
    ['one table', TABLE],
    ['places that go up, and playoffs behind them', { ...TABLE, promoted: 2, playoffs: { places: 4 } }],
    [
      'playoffs of conferences for the title',
      {
        title: 'playoffs',
        games: 44,
        playoffs: { places: 4, of: 'conference', of_division: 1, best_of: [3, 5, 7] },
      },
    ],
  ])('given %s, then it is taken', (_, format) => {
    // Nothing else is wrong with it.
    expect(() => read(withFormat(format))).toThrow('leagues.one: leagues are read as the process begins');
  });

  it.each([
    ['an unknown member', { ...TABLE, champion: 1 }, 'unknown member leagues.one.format.champion'],
    ['no title', { ...TABLE, title: undefined }, 'leagues.one.format.title: must be one of table, playoffs'],
    ['no number of games', { title: 'table' }, 'leagues.one.format.games: must be given without double_round_of'],
    [
      'a number of games that follows',
      { ...TABLE, games: 34 },
      'leagues.one.format.games: is not allowed beside double_round_of',
    ],
    [
      'a play-in beside the first of divisions',
      { title: 'playoffs', games: 44, playoffs: { places: 4, of: 'conference', of_division: 1, play_in: true } },
      'leagues.one.format.playoffs.play_in: is not allowed beside of_division',
    ],
    [
      'places that go up beside playoffs of conferences',
      { ...TABLE, promoted: 2, playoffs: { places: 4, of: 'conference' } },
      'leagues.one.format.promoted: is not allowed where the playoffs are those of conferences',
    ],
    [
      'too few teams for the play-ins of two conferences',
      { title: 'playoffs', double_round_of: 11, playoffs: { places: 4, of: 'conference', play_in: true } },
      'leagues.one.format.double_round_of: must be at least 12',
    ],
    [
      'a title of no playoffs',
      { title: 'playoffs', games: 10 },
      'leagues.one.format.playoffs: must be given where they decide the title',
    ],
    ['nobody who goes up', { ...TABLE, promoted: 0 }, 'leagues.one.format.promoted: must be a whole number of 1 to 32'],
    [
      'a title of playoffs with places that go up',
      { title: 'playoffs', games: 10, promoted: 1, playoffs: { places: 4 } },
      'leagues.one.format.promoted: is not allowed where the playoffs decide the title',
    ],
    [
      'more places than teams',
      { ...TABLE, promoted: 8, playoffs: { places: 9 } },
      'leagues.one.format.double_round_of: must be at least 19',
    ],
    [
      'a series of an even number of games',
      { ...TABLE, playoffs: { places: 4, best_of: [2] } },
      'leagues.one.format.playoffs.best_of: must be a list of 1 to 6 odd numbers of 1 to 9',
    ],
    [
      'divisions of one table',
      { ...TABLE, playoffs: { places: 4, of_division: 1 } },
      'leagues.one.format.playoffs.of_division: is not allowed unless of is conference',
    ],
    [
      'playoffs of a cup',
      { ...TABLE, playoffs: { places: 4, of: 'cup' } },
      'leagues.one.format.playoffs.of: must be one of table, conference',
    ],
  ])('given %s, then the start stops with its path and what is allowed', (_, format, message) => {
    expect(() => read(withFormat(format))).toThrow(message);
  });

  it('given a tour of tennis, then it has no table', () => {
    expect(() => read(withFormat(TABLE, 'tennis'))).toThrow('leagues.one.format: tours of tennis have no table');
  });
});
