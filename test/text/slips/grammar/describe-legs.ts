import { readSlipBets, type TextBet } from '../../../../src/text/slips/grammar/parse-slip.ts';
import type { ParsedBet } from '../../../../src/text/slips/grammar/parsed-bet.ts';

/** The legs of a text, each in one line; `-` and the reason for a piece that is not a leg. */
export const describeLegs = (text: string): string[] => readSlipBets(text).map(describeLeg);

function describeLeg({ input, reading }: TextBet): string {
  const { bets, problem } = reading;
  const around = [
    input.date === null ? '' : `on ${input.date}`,
    input.price === null ? '' : `at ${input.price}`,
  ].filter((part) => part !== '');
  const settled = bets.filter(({ unsettleableReason }) => unsettleableReason === null);
  if (settled.length === 0) return `- ${bets[0]?.unsettleableReason ?? problem}`;
  return [settled.map(describeBet).join(' | '), ...around].join(', ');
}

function describeBet({ kind, sports, side, line, team, player, stats, match, opponent, scope }: ParsedBet): string {
  const names = new Set(stats?.values());
  return [
    kind,
    kind === 'prop' ? `<${player}>` : team === null ? '' : `<${team}>`,
    kind === 'prop' && team !== null ? `of <${team}>` : '',
    kind === 'draw' ? '' : (side ?? ''),
    line ?? '',
    [...names].join('/'),
    match === null ? '' : `in ${match.map(([one, other]) => `<${one}> <${other}>`).join(' or ')}`,
    opponent === null ? '' : `against <${opponent}>`,
    scope === null ? '' : `of ${scope}`,
    sports === null ? '' : `{${sports.join(' ')}}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
