import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';

const folder = temporaryFolder();
const RIGHT = { sport: 'soccer', name: 'One', season: { start_month: 7, year_name: 'span' } };

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
