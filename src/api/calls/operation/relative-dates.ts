import { DAY } from '../../../domain/primitives/time.ts';
import { toIsoTime } from '../../../platform/clock/iso-time.ts';
import type { Operation } from './operation.ts';
import { parametersOf } from './operation-input.ts';

const WORDS: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);
/** A `+` in a query means a space. */
const DAYS = /^(?:today)?([+ -])(\d{1,3})d$/;

/** Days from today; undefined: it is no relative date. */
function daysFromToday(value: string): number | undefined {
  const [, sign, days] = DAYS.exec(value) ?? [];
  if (days === undefined) return WORDS.get(value);
  return sign === '-' ? -Number(days) : Number(days);
}

/**
 * A query with a date in the place of each relative one, such as `today` or `+7d`, of the parameters that take a date.
 * @param now milliseconds; dates are those of UTC
 */
export function resolveRelativeDates({ input }: Pick<Operation, 'input'>, search: string, now: number): string {
  const parameters = parametersOf(input.query);
  const given = [...new URLSearchParams(search)];
  const resolved = given.map(([name, value]): [string, string] => {
    const days = parameters[name]?.['format'] === 'date' ? daysFromToday(value) : undefined;
    return days === undefined ? [name, value] : [name, toIsoTime(now + days * DAY).slice(0, 10)];
  });
  const isSame = resolved.every(([, value], index) => value === given[index]![1]);
  return isSame ? search : String(new URLSearchParams(resolved));
}
