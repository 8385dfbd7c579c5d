import { describe, expect, it } from 'vitest';
import type { GradedLeg } from '../../../src/api/operations/slips/slip-schemas.ts';
import { legItem } from '../../../src/web/grade/leg-item.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

/** What is said of the number of a leg. */
function numberOf(
  market_key: string,
  side: string,
  line: number,
  current: number | null,
  result: string,
  scope?: string,
): string {
  const leg = {
    ...{ result, result_detail: null, current, message: null, input: { text: 'as typed' }, facts: [] },
    market: { event_id: 1, market_key, side, line, scope },
    resolve: { status: null, player_id: null, display_name: null, candidates: [] },
  } as unknown as GradedLeg;
  return /<p class="number">(.*?)<\/p>/.exec(legItem(leg, NOW).html)![1]!;
}

describe('the number of a leg', () => {
  it.each([
    [-3, 4, 'won', 'spread: −3, ended <strong>4</strong> ahead'],
    [-1.5, -3, 'lost', 'spread: −1.5, ended <strong>3</strong> behind'],
    [3.5, 0, 'won', 'spread: +3.5, ended level'],
    [-3, 4, 'in_progress', 'spread: −3, stands <strong>4</strong> ahead'],
    [-3, null, 'in_progress', 'spread: −3'],
  ])('of a spread of %s says by how much its side leads or trails, %s', (line, current, result, words) => {
    expect(numberOf('spreads', 'home', line, current, result)).toBe(words);
  });

  it('of a total, a part of an event and a prop is what was counted', () => {
    expect(numberOf('totals', 'over', 51, 73, 'over')).toBe('total: over 51, ended at <strong>73</strong>');
    expect(numberOf('totals', 'under', 24.5, 10, 'in_progress', '1h')).toBe(
      '1h total: under 24.5, stands at <strong>10</strong>',
    );
    expect(numberOf('passing_yards', 'over', 250.5, 261, 'over')).toBe(
      'passing yards: over 250.5, ended at <strong>261</strong>',
    );
  });
});
