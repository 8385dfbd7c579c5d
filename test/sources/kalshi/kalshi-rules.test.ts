import { describe, expect, it } from 'vitest';
import { bindKalshiMarket } from '../../../src/sources/kalshi/bind-market.ts';
import { kalshiMarket, lakers, NBA_GAME_RULES, spread, total } from './kalshi-double.ts';

const bound = (market: any) => {
  const { key, side, unbound } = bindKalshiMarket(market) as any;
  return unbound === undefined ? `${key} ${side.outcome} ${side.point ?? ''}`.trim() : { unbound };
};
const UNBOUND = { unbound: expect.any(String) };

const GAME = NBA_GAME_RULES;
const withRules = (rules: string) => lakers({ rules_primary: rules });
const ARSENAL = 'the Arsenal vs Chelsea professional EPL soccer game originally scheduled for Nov 30, 2026';
const REGULATION = 'after 90 minutes plus stoppage time (does not include extra time or penalties)';
const soccer = (code: string, name: string, rules: string) =>
  kalshiMarket(`KXEPLGAME-26NOV30ARSCFC-${code}`, name, {
    rules_primary: rules,
    expected_expiration_time: '2026-11-30T18:00:00Z',
  });
const tie = (rules: string) => soccer('TIE', 'Tie', rules);

describe('rules of Kalshi that do not say what its names say', () => {
  it.each([
    [`If Los Angeles L wins ${GAME}, then the market resolves to No.`],
    [`If Los Angeles L wins the first half of ${GAME}, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME} in the first half, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME} (in the first half), then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME} (excluding overtime), then the market resolves to Yes.`],
    [`If Los Angeles L wins fewer points than Golden State in ${GAME}, then the market resolves to Yes.`],
    [`If Los Angeles L wins less often than Golden State in ${GAME}, then the market resolves to Yes.`],
    [`If Los Angeles L wins the tip-off of ${GAME}, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME} by more than 5.5 points, then the market resolves to Yes.`],
    [`If Los Angeles L wins or draws ${GAME}, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME}, then the market resolves to Golden State.`],
    [`If Los Angeles L wins ${GAME}, then the market resolves to Yes. If Golden State wins, it does as well.`],
    [
      `If Los Angeles L wins ${GAME}, then the market resolves to Yes. If Golden State wins, then the market resolves to Yes.`,
    ],
    [`If Los Angeles L wins ${GAME}, then the market resolves to Yes. Otherwise, the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME}, then the market resolves to Yes. Yes stands for a defeat here.`],
    [`Unless Los Angeles L wins ${GAME}, the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME.replace('basketball', 'hockey')}, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME.replace('professional', "women's professional")}, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME}.`],
    [''],
  ])('given "%s", then it is bound to nothing', (rules) => {
    expect(bound(withRules(rules))).toEqual(UNBOUND);
  });

  it('given rules that are added and turn the first ones around, then it is bound to nothing', () => {
    const further = (rules_secondary: string) => bound(lakers({ rules_secondary }));
    expect(further('If Los Angeles L wins, the market resolves to No.')).toEqual(UNBOUND);
    expect(further('Whoever loses is paid: a side that wins resolves to No.')).toEqual(UNBOUND);
    expect(further('If the game is cancelled, the market resolves to No. Trading stops at the end.')).toBe('h2h away');
  });

  it('given a spread or a total whose name, number or rules differ, then it is bound to nothing', () => {
    expect(bound(spread('LAL', 'Los Angeles L', 5.5))).toBe('spreads away -5.5');
    for (const more of [
      { yes_sub_title: 'Los Angeles L wins by over 6.5 points' },
      { yes_sub_title: 'Los Angeles L wins by under 5.5 points' },
      { rules_primary: `If Los Angeles L wins ${GAME} by less than 5.5 points, then the market resolves to Yes.` },
      { rules_primary: `If Los Angeles L wins ${GAME} by more than 5.5 points, then the market resolves to No.` },
      { rules_primary: `If Golden State wins ${GAME} by more than 5.5 points, then the market resolves to Yes.` },
      {
        rules_primary: `If Los Angeles L wins by more than 5.5 points in the first half of ${GAME}, then the market resolves to Yes.`,
      },
      { rules_primary: `If Los Angeles L wins by more than 5.5 rebounds in ${GAME}, then the market resolves to Yes.` },
      { strike_type: 'less' },
    ])
      expect(bound(spread('LAL', 'Los Angeles L', 5.5, more))).toEqual(UNBOUND);
    expect(bound(total(219.5))).toBe('totals over 219.5');
    for (const more of [
      { yes_sub_title: 'Under 219.5 points scored' },
      { yes_sub_title: 'Over 109.5 points scored in the first half' },
      {
        rules_primary: `If the teams in ${GAME} collectively score more than 219.5 points, then the market resolves to No.`,
      },
      {
        rules_primary: `If the teams in ${GAME} collectively score less than 219.5 points, then the market resolves to Yes.`,
      },
      {
        rules_primary: `If the teams collectively score more than 219.5 points in the first half of ${GAME}, then the market resolves to Yes.`,
      },
      { rules_primary: `If the total of Los Angeles L in ${GAME} is over 219.5, then the market resolves to Yes.` },
    ])
      expect(bound(total(219.5, more))).toEqual(UNBOUND);
  });

  it('given a tie of a part of the match, or one that pays No, then it is bound to nothing', () => {
    expect(bound(tie(`If ${ARSENAL} ends in a tie, then the market resolves to Yes.`))).toBe('h2h draw');
    expect(bound(tie(`If ${ARSENAL} ends in a tie at half time, then the market resolves to Yes.`))).toEqual(UNBOUND);
    expect(bound(tie(`If the first half of ${ARSENAL} ends in a tie, then the market resolves to Yes.`))).toEqual(
      UNBOUND,
    );
    expect(bound(tie(`If ${ARSENAL} ends in a tie, then the market resolves to No.`))).toEqual(UNBOUND);
    expect(bound(tie(`If Arsenal wins or ${ARSENAL} ends in a tie, then the market resolves to Yes.`))).toEqual(
      UNBOUND,
    );
  });
});

describe('honest rules of Kalshi', () => {
  it.each([
    [`If Los Angeles L wins ${GAME}, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME} at 10:00 PM EST, then the market resolves to Yes.`],
    [`If Los Angeles L wins ${GAME} (including overtime), then the market resolves to Yes.`],
    [`If the Los Angeles Lakers wins ${GAME.replace('at', 'vs')}, then the market resolves to Yes. Overtime counts.`],
    [`If Los Angeles L wins ${GAME}, then the market resolves to Yes. Otherwise, the market resolves to No.`],
    [
      `If Los Angeles L wins ${GAME}, then the market resolves to Yes. If Golden State wins, then the market resolves to No.`,
    ],
    [
      `If Los Angeles L wins ${GAME}, then the market resolves to Yes. The game is scheduled for Nov 30, 2026. Los Angeles L plays at Golden State. If the game is postponed, the market will remain open until the game has been completed.`,
    ],
  ])('given "%s", then the side is bound', (rules) => {
    expect(bound(withRules(rules))).toBe('h2h away');
  });

  it('given a margin or an amount before the game, then the line is bound', () => {
    const margin = `If Los Angeles L wins by more than 5.5 points in ${GAME}, then the market resolves to Yes.`;
    expect(bound(spread('LAL', 'Los Angeles L', 5.5, { rules_primary: margin }))).toBe('spreads away -5.5');
    for (const rules of [
      `If the teams collectively score more than 219.5 points in ${GAME}, then the market resolves to Yes.`,
      `If Los Angeles L and Golden State collectively score more than 219.5 points in ${GAME}, then the market resolves to Yes.`,
      `If over 219.5 points are scored in ${GAME}, then the market resolves to Yes.`,
    ])
      expect(bound(total(219.5, { rules_primary: rules }))).toBe('totals over 219.5');
  });

  it('given soccer after 90 minutes, then sides and draw are bound', () => {
    const yes = 'then the market resolves to Yes.';
    expect(bound(soccer('ARS', 'Arsenal', `If Arsenal wins ${ARSENAL} ${REGULATION}, ${yes}`))).toBe('h2h home');
    for (const rules of [
      `If Tie is the result of ${ARSENAL} ${REGULATION}, ${yes}`,
      `If Tie wins ${ARSENAL} ${REGULATION}, ${yes}`,
      `If ${ARSENAL} ends in a tie, ${yes}`,
    ])
      expect(bound(tie(rules))).toBe('h2h draw');
    const cup = `If Arsenal wins ${ARSENAL} (including extra time and penalties), ${yes}`;
    expect(bound(soccer('ARS', 'Arsenal', cup))).toEqual(UNBOUND);
  });

  it('given names with full stops, then each sentence is read as one', () => {
    const game = 'the St. Louis vs New York R professional hockey game originally scheduled for Nov. 30, 2026';
    const market = kalshiMarket('KXNHLGAME-26NOV30STLNYR-STL', 'St. Louis', {
      rules_primary: `If St. Louis wins ${game}, then the market resolves to Yes. If New York R wins, then the market resolves to No.`,
    });
    expect(bound(market)).toBe('h2h away');
  });

  it('given a tournament of tennis, then the player is bound; given one set of the match, then nothing is', () => {
    const match = 'the Ruud vs Fils professional tennis match in the 2026 ATP Turin Round Of 16';
    const player = (rules: string) =>
      bound(
        kalshiMarket('KXATPMATCH-26NOV30RUUFIL-FIL', 'Arthur Fils', {
          rules_primary: rules,
          occurrence_datetime: '2026-11-30T18:00:00Z',
        }),
      );
    const yes = 'then the market resolves to Yes.';
    expect(player(`If Arthur Fils wins ${match} after a ball has been played, ${yes}`)).toBe('h2h player_2');
    expect(player(`If Arthur Fils wins ${match} in the first set, ${yes}`)).toEqual(UNBOUND);
    expect(player(`If Arthur Fils wins set 1 of ${match}, ${yes}`)).toEqual(UNBOUND);
  });

  it('given a long text of repeated words, then it is read in no time', () => {
    const started = performance.now();
    for (const words of [
      ' the a at b',
      ' at vs v.',
      ' and',
      ' If the game wins.',
      ' is (',
      ' by more than 5 points in the',
    ])
      bound(withRules(`If Los Angeles L wins ${GAME}${words.repeat(500)}, then the market resolves to Yes.`));
    expect(performance.now() - started).toBeLessThan(1500);
  });
});
