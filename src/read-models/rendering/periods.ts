import { ownValue } from '../../domain/own.ts';
import { rulesOf } from '../../domain/sides.ts';

/** Names of periods; the values are those of the API, by sport. */
const ORDINALS = ['0th', '1st', '2nd', '3rd', '4th', '5th', '6th', '7th', '8th', '9th'];
function ordinal(n: number): string {
  if (n < ORDINALS.length) return ORDINALS[n]!;
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}

const HALVES: Readonly<Record<string, string>> = {
  '1H': '1st Half',
  '2H': '2nd Half',
  HT: 'Half-time',
  ET1: 'Extra Time 1st Half',
  ET2: 'Extra Time 2nd Half',
  PKs: 'Penalties',
  SO: 'Shootout',
  OT: 'Overtime',
};
const INNING = /^(Top|Mid|Bot|End) (\d{1,3})$/;
const INNING_WORDS: Readonly<Record<string, string>> = { Top: 'Top', Mid: 'Middle', Bot: 'Bottom', End: 'End of' };

/** What people call a period: `3rd Quarter`, `Top 5th`, `2nd Set`. A period that is not known is its own label. */
export function periodLabel(sport: string, period: string): string {
  const named = ownValue(HALVES, period);
  if (named !== undefined) return named;
  const overtime = /^OT(\d{1,2})$/.exec(period);
  if (overtime) return `${ordinal(Number(overtime[1]))} Overtime`;
  const inning = INNING.exec(period);
  if (inning) return `${INNING_WORDS[inning[1]!]} ${ordinal(Number(inning[2]))}`;
  const set = /^Set (\d{1,2})$/.exec(period);
  if (set) return `${ordinal(Number(set[1]))} Set`;
  if (/^\d{1,2}$/.test(period)) {
    const { numbered } = rulesOf(sport);
    if (numbered !== null) return `${ordinal(Number(period))} ${numbered}`;
  }
  return period;
}
