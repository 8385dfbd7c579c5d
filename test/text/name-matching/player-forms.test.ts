import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { player } from '../../api/spec/messages.ts';
import { type ResolvingServer, startResolverServer, summarizeAnswer } from './resolver-server.ts';

const PLAYERS: readonly (readonly [sport: string, name: string, more?: object])[] = [
  ['nba', 'LeBron James', { aliases: ['King James', 'The Chosen One'] }],
  ['nba', 'Jalen Williams'],
  ['nba', 'Jaylin Williams'],
  ['nba', 'Marcus Morris Sr.'],
  ['nba', 'Markieff Morris'],
  ['nba', 'Tim Hardaway', { is_active: false }],
  ['nba', 'Tim Hardaway Jr.'],
  ['nba', 'Yao Ming', { first_name: 'Ming', last_name: 'Yao', retired_at: '2011-07-20' }],
  ['nba', 'Luka Dončić'],
  ['nfl', 'Josh Allen', { position: 'QB' }],
  ['nfl', 'Josh Allen', { position: 'DE' }],
  ['nfl', 'Patrick Mahomes'],
  ['nfl', 'J.J. Watt'],
  ['nfl', 'Amon-Ra St. Brown', { last_name: 'St. Brown' }],
  ['nfl', "Ja'Marr Chase"],
  ['nfl', 'Michael Thomas'],
  ['nfl', 'Robert Griffin III'],
  ['mlb', 'Ronald Acuña Jr.'],
  ['mlb', 'Ken Griffey Sr.', { is_active: false }],
  ['mlb', 'Ken Griffey Jr.', { is_active: false }],
  ['mlb', 'Will Smith'],
  ['mlb', 'Willy Smith'],
  ['mlb', 'Luis García', { birthdate: '1987-01-30' }],
  ['mlb', 'Luis Garcia', { birthdate: '1996-12-13' }],
  ['mlb', 'Luis García', { birthdate: '2000-05-16' }],
  ['tennis', 'Serena Williams', { retired_at: '2022-09-02' }],
  ['tennis', 'Venus Williams'],
  ['tennis', 'Alexander Zverev'],
  ['tennis', 'Mischa Zverev'],
  ['tennis', 'Iga Świątek'],
  ['tennis', 'Félix Auger-Aliassime'],
  ['soccer', 'Pelé'],
  ['soccer', 'Son Heung-Min', { first_name: 'Heung-Min', last_name: 'Son' }],
  ['soccer', 'Martin Ødegaard'],
];

let server: ResolvingServer;
beforeAll(async () => {
  server = await startResolverServer(
    ...PLAYERS.map(([sport, name, more], index) => player(sport, `p${index}`, name, { ...more })),
  );
});
afterAll(() => server.close());

const ask = async (query: string, more: object = {}) => summarizeAnswer(await server.player({ query, ...more }));
const permissive = { options: { mode: 'permissive' } };

describe('forms that resolve a player', () => {
  it.each([
    ['LeBron James', 'LeBron James (nba) 1 name'],
    [' LEBRON-JAMES ', 'LeBron James (nba) 1 name'],
    ['The Chosen One', 'LeBron James (nba) 0.97 alias'],
    ['James, LeBron', 'LeBron James (nba) 0.97 reversed'],
    ['Luka Doncic', 'Luka Dončić (nba) 1 name'],
    ['iga swiatek', 'Iga Świątek (tennis) 1 name'],
    ['Martin Odegaard', 'Martin Ødegaard (soccer) 1 name'],
    ['Felix Auger Aliassime', 'Félix Auger-Aliassime (tennis) 1 name'],
    ['Auger-Aliassime, Félix', 'Félix Auger-Aliassime (tennis) 0.97 reversed'],
    ['Ja’Marr Chase', "Ja'Marr Chase (nfl) 1 name"],
    ['JaMarr Chase', "Ja'Marr Chase (nfl) 1 name"],
    ['JJ Watt', 'J.J. Watt (nfl) 1 name'],
    ['J. J. Watt', 'J.J. Watt (nfl) 1 name'],
    ['J.J.Watt', 'J.J. Watt (nfl) 1 name'],
    ['Amon Ra St Brown', 'Amon-Ra St. Brown (nfl) 1 name'],
    ['Ronald Acuna', 'Ronald Acuña Jr. (mlb) 0.95 suffix'],
    ['Ronald Acuna, Jr.', 'Ronald Acuña Jr. (mlb) 1 name'],
    ['Acuña Jr., Ronald', 'Ronald Acuña Jr. (mlb) 0.97 reversed'],
    ['Acuña, Ronald, Jr.', 'Ronald Acuña Jr. (mlb) 0.97 reversed'],
    ['Acuña, Ronald', 'Ronald Acuña Jr. (mlb) 0.95 suffix'],
    ['Ronald Acuna Sr', 'not_found'],
    ['Markieff Morris II', 'Markieff Morris (nba) 0.95 suffix'],
    ['Ken Griffey Jr', 'Ken Griffey Jr. (mlb) 1 name'],
    ['Ken Griffey III', 'not_found'],
    ['Tim Hardaway Jr', 'Tim Hardaway Jr. (nba) 1 name'],
    ['Yao, Ming', 'Yao Ming (nba) 1 name'],
    ['Son, Heung-min', 'Son Heung-Min (soccer) 1 name'],
    ['Heung-Min, Son', 'Son Heung-Min (soccer) 0.97 reversed'],
    ['Serena Williams', 'Serena Williams (tennis) 1 name'],
    ['Pele', 'Pelé (soccer) 1 name'],
    ['Mike Thomas', 'not_found'],
    ['LeBorn James', 'not_found'],
    ["'.,", 'not_found'],
    ['toString', 'not_found'],
  ])('%s', async (query, answer) => {
    expect(await ask(query)).toBe(answer);
  });
});

describe('names that are not enough', () => {
  it.each([
    ['L. James', '? LeBron James (nba) 0.75 initial'],
    ['L James', '? LeBron James (nba) 0.75 initial'],
    ['P.Mahomes', '? Patrick Mahomes (nfl) 0.75 initial'],
    ['James L.', '? LeBron James (nba) 0.75 initial'],
    ['James, L.', '? LeBron James (nba) 0.75 initial'],
    ['R. Acuna Jr.', '? Ronald Acuña Jr. (mlb) 0.75 initial'],
    ['J. Watt', '? J.J. Watt (nfl) 0.75 initial'],
    ['James LeBron', '? LeBron James (nba) 0.8 turned'],
    ['Ming Yao', '? Yao Ming (nba) 0.8 turned'],
    ['Mahomes', '? Patrick Mahomes (nfl) 0.7 last_name'],
    ['St. Brown', '? Amon-Ra St. Brown (nfl) 0.7 last_name'],
    ['Josh Allen', '? Josh Allen (nfl) 1 name, Josh Allen (nfl) 1 name'],
    ['Luis Garcia', '? Luis García (mlb) 1 name, Luis Garcia (mlb) 1 name, Luis García (mlb) 1 name'],
    ['Ken Griffey', '? Ken Griffey Sr. (mlb) 0.95 suffix, Ken Griffey Jr. (mlb) 0.95 suffix'],
    ['Tim Hardaway', '? Tim Hardaway (nba) 1 name, Tim Hardaway Jr. (nba) 0.95 suffix'],
    ['J. Williams', '? Jalen Williams (nba) 0.75 initial, Jaylin Williams (nba) 0.75 initial'],
    ['M. Morris', '? Marcus Morris Sr. (nba) 0.75 initial, Markieff Morris (nba) 0.75 initial'],
    ['Zverev', '? Alexander Zverev (tennis) 0.7 last_name, Mischa Zverev (tennis) 0.7 last_name'],
  ])('%s', async (query, answer) => {
    expect(await ask(query)).toBe(answer);
  });

  it('lists four people with one last name in two sports, ordered by id', async () => {
    expect(await ask('Williams')).toBe(
      '? Jalen Williams (nba) 0.7 last_name, Jaylin Williams (nba) 0.7 last_name, Serena Williams (tennis) 0.7 last_name, Venus Williams (tennis) 0.7 last_name',
    );
  });
});

describe('permissive adds candidates, but resolves none of them', () => {
  it.each([
    ['Mike Thomas', '? Michael Thomas (nfl) 0.8 given_name'],
    ['Pat Mahomes', '? Patrick Mahomes (nfl) 0.8 given_name'],
    ['Mahomes, Pat', '? Patrick Mahomes (nfl) 0.8 given_name'],
    ['Bob Griffin', '? Robert Griffin III (nfl) 0.8 given_name'],
    ['Mike Zverev', 'not_found'],
    ['LeBorn James', '? LeBron James (nba) 0.6 typo'],
    ['LeBrn James', '? LeBron James (nba) 0.6 typo'],
    ['LeBroon James', '? LeBron James (nba) 0.6 typo'],
    ['LaBron James', '? LeBron James (nba) 0.6 typo'],
    ['LeBrno Jmaes', 'not_found'],
    ['Pela', 'not_found'],
    ['Ken Griffey J', '? Ken Griffey Jr. (mlb) 0.6 typo'],
    ['Ronald Acuna Sr', 'not_found'],
    ['Jalin Williams', '? Jalen Williams (nba) 0.6 typo, Jaylin Williams (nba) 0.6 typo'],
    ['Jalen Williams', 'Jalen Williams (nba) 1 name'],
    ['Willi Smith', '? Will Smith (mlb) 0.6 typo, Willy Smith (mlb) 0.6 typo'],
  ])('%s', async (query, answer) => {
    expect(await ask(query, permissive)).toBe(answer);
  });

  it('resolves with a clue that raises the confidence enough', async () => {
    expect(await ask('Mike Thomas', { ...permissive, clues: { sport: 'nfl' } })).toBe(
      'Michael Thomas (nfl) 0.85 given_name+sport',
    );
  });
});

describe('min_confidence', () => {
  it.each([
    ['Mahomes', 0.7, 'Patrick Mahomes (nfl) 0.7 last_name'],
    ['Mahomes', 0.71, '? Patrick Mahomes (nfl) 0.7 last_name'],
    ['Zverev', 0, '? Alexander Zverev (tennis) 0.7 last_name, Mischa Zverev (tennis) 0.7 last_name'],
    ['James, LeBron', 0.98, '? LeBron James (nba) 0.97 reversed'],
    ['Serena Williams', 1, 'Serena Williams (tennis) 1 name'],
  ])('%s at %d', async (query, min_confidence, answer) => {
    expect(await ask(query, { options: { min_confidence } })).toBe(answer);
  });
});
