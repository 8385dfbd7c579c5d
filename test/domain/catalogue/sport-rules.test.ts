import { expect, it } from 'vitest';
import { SPORTS } from '../../../src/domain/catalogue/catalogue.ts';
import { gameRulesOf, periodWordOf } from '../../../src/domain/catalogue/game-rules.ts';
import { isTennis, rolesOf, rulesOf } from '../../../src/domain/catalogue/sport-rules.ts';
import { HOUR } from '../../../src/domain/primitives/time.ts';

it('has the rules of each sport', () => {
  const rows = SPORTS.map(({ slug }) => {
    const { entry, homeFirst, showsClock, extraPlay, startWindow } = rulesOf(slug);
    return [
      slug,
      rolesOf(slug)[0],
      entry,
      homeFirst,
      showsClock,
      periodWordOf(gameRulesOf({ sport: slug })),
      extraPlay,
      startWindow / HOUR,
    ];
  });
  expect(rows).toEqual([
    ['nfl', 'home', 'team', false, true, 'Quarter', 'overtime', 6],
    ['nba', 'home', 'team', false, true, 'Quarter', 'overtime', 6],
    ['mlb', 'home', 'team', false, false, null, 'regulation', 6],
    ['nhl', 'home', 'team', false, false, 'Period', 'overtime', 6],
    ['ncaaf', 'home', 'team', false, true, 'Quarter', 'overtime', 6],
    ['ncaab', 'home', 'team', false, true, null, 'overtime', 6],
    ['tennis', 'player_1', 'player', true, false, null, 'none', 36],
    ['soccer', 'home', 'team', true, true, null, 'overtime', 6],
  ]);
});

it('agrees with the catalogue about team sports', () => {
  for (const { slug, is_team_sport } of SPORTS) {
    expect([slug, rulesOf(slug).entry === 'team', !isTennis(slug)]).toEqual([slug, is_team_sport, is_team_sport]);
    expect(rulesOf(slug).hasPairs).toBe(!is_team_sport);
  }
});

it('treats an unknown sport, also one named like an object member, as a team sport', () => {
  for (const slug of ['cricket', 'constructor', '__proto__']) expect(rolesOf(slug)).toEqual(['home', 'away']);
});
