import { describe, expect, it } from 'vitest';
import { KIND_RULES, legKindOf } from '../../../../src/domain/grading/leg-markets.ts';
import { parlayFactor, payoutFactor } from '../../../../src/domain/grading/payout.ts';
import { findRuleSet, RULE_SET_NAMES, sportRulesOf } from '../../../../src/domain/grading/rules/rule-sets.ts';
import { findRulesDifferences } from '../../../../src/domain/grading/rules/rules-differ.ts';
import { settleLeg } from '../../../../src/domain/grading/settle-leg.ts';
import { type Ending, endingFacts, readEndings } from './read-endings.ts';

const UNCOUNTED: Readonly<Record<string, string>> = { dnp: 'D', no_stat: 'N', in_progress: 'O' };
const LETTERS: Readonly<Record<string, string>> = {
  ...{ won: 'W', lost: 'L', push: 'P', void: 'V', half_won: 'w', half_lost: 'l' },
};

const endings = readEndings();

/** What a slip comes to: a letter, or what 100 on a parlay come back as. */
function settled(ending: Ending, { legs }: Ending['slips'][number], book: string): string {
  const rules = sportRulesOf(book, ending.sport);
  const outcomes = legs.map(({ leg, player }) => settleLeg(endingFacts(ending, player), leg, rules));
  if (legs[0]!.price === null) {
    const { result, result_detail } = outcomes[0]!;
    return UNCOUNTED[result ?? ''] ?? LETTERS[result_detail ?? ''] ?? `${result} ${result_detail}`;
  }
  const results = outcomes.map(({ result_detail: result }, place) => ({ result, price: legs[place]!.price }));
  const factor = parlayFactor(results, null);
  return factor === null ? 'open' : String(Math.round(factor * 1e6) / 1e4);
}

describe.each([...new Set(endings.map(({ sport }) => sport))])('%s', (sport) => {
  const own = endings.filter((ending) => ending.sport === sport);

  it.each(own.map((ending) => [ending.title, ending] as const))(
    'given: %s, then each slip comes to what a person wrote down for each house',
    (_, ending) => {
      for (const slip of ending.slips) {
        const found = Object.fromEntries(RULE_SET_NAMES.map((book) => [book, settled(ending, slip, book)]));
        expect([slip.text, found]).toEqual([slip.text, slip.expected]);
      }
    },
  );

  it('given two houses, then the table shows an ending that they settle differently wherever the list of differences does', () => {
    for (const [place, one] of RULE_SET_NAMES.entries()) {
      for (const other of RULE_SET_NAMES.slice(place + 1)) {
        for (const market of ['h2h', 'spreads', 'totals'] as const) {
          const shown = own.some(({ slips }) =>
            slips.some(
              ({ legs, expected }) =>
                legs.length === 1 &&
                legs[0]!.leg.market_key === market &&
                legs[0]!.leg.scope === undefined &&
                expected[one] !== expected[other],
            ),
          );
          const isListed = findRulesDifferences(sport, market, [one, other]).length > 0;
          expect([sport, one, other, market, shown]).toEqual([sport, one, other, market, isListed]);
        }
      }
    }
  });
});

it('settles at least a thousand slips by hand, by every rule set', () => {
  const slips = endings.flatMap((ending) => ending.slips);
  for (const { text, expected } of slips)
    expect([text, Object.keys(expected).sort()]).toEqual([text, [...RULE_SET_NAMES].sort()]);
  expect(slips.reduce((sum, { expected }) => sum + Object.keys(expected).length, 0)).toBeGreaterThanOrEqual(1000);
});

it('grades no bet on a place, which several may share, whatever a house says of dead heats', () => {
  const said = RULE_SET_NAMES.filter((book) => findRuleSet(book)?.dead_heat !== null);
  expect(said).toEqual(['draftkings', 'pinnacle', 'smarkets']);
  // A leg of a slip is on one game: of a title, a division or a place it would ask for a player and a line.
  for (const market of ['winner', 'outright', 'division', 'conference', 'top_4', 'relegation'])
    expect(KIND_RULES[legKindOf(market)].needs).toEqual(['line', 'player_id']);
});

it('pays a single bet as it pays a parlay of one leg', () => {
  for (const result of ['won', 'lost', 'push', 'void', 'half_won', 'half_lost'] as const)
    expect(parlayFactor([{ result, price: 2.5 }], null)).toBe(payoutFactor(result, 2.5));
});
