import { ownValue } from '../primitives/own-properties.ts';

/** Order of play. Half-time comes after the first half. */
const PERIOD_ORDER: Readonly<Record<string, number>> = {
  '1H': 1,
  HT: 1.5,
  '2H': 2,
  ET: 101,
  ET1: 101,
  ET2: 102,
  OT: 101,
  SO: 900,
  PKs: 900,
};

/** Position of a period, or of a part of it, in the order of play; null if unknown. */
export function periodOrder(period: string): number | null {
  const order = ownValue(PERIOD_ORDER, period);
  if (order !== undefined) return order;
  const overtime = /^OT(\d{1,2})$/.exec(period);
  if (overtime) return 100 + Number(overtime[1]);
  const numbered = /^(?:S|Set |Top |Mid |Bot )?(\d{1,3})$/.exec(period);
  if (numbered) return Number(numbered[1]);
  const ended = /^End (\d{1,3})$/.exec(period);
  return ended ? Number(ended[1]) + 0.5 : null;
}

const OVERTIME_FROM = 101;
const SHOOTOUT = 900;

/** How far a game went, from the periods played. */
export function extraPlayOf(periods: readonly string[]): 'overtime' | 'shootout' | null {
  const last = Math.max(0, ...periods.map((period) => periodOrder(period) ?? 0));
  if (last >= SHOOTOUT) return 'shootout';
  return last >= OVERTIME_FROM ? 'overtime' : null;
}
