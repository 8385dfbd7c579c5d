import type { EventLines, PeriodLine } from '../../answers/live-page-answers.ts';
import { decimalOf } from './odds-format.ts';

type Books = PeriodLine['books'];

/** The best price of an outcome, and who offers it. */
export interface BestOffer {
  readonly price: number;
  /** In the order of the answer. */
  readonly slugs: readonly string[];
}

/** @returns null if nobody prices the outcome */
export function bestOffer(books: Books, outcome: string): BestOffer | null {
  let best: { price: number; slugs: string[] } | null = null;
  for (const [slug, prices] of Object.entries(books)) {
    const price = prices[outcome];
    if (price === undefined || price === null) continue;
    const gain = best === null ? 1 : decimalOf(price) - decimalOf(best.price);
    if (gain > 0) best = { price, slugs: [slug] };
    else if (gain === 0) best!.slugs.push(slug);
  }
  return best;
}

/** The progress of a number to its line, from 0 to 1; null if it does not apply. */
export function progressToLine(current: number | null, line: number): number | null {
  if (current === null || line <= 0) return null;
  return Math.min(1, Math.max(0, current / line));
}

/** A result in words; null if there is none yet. */
export function resultWords(result: string | null): string | null {
  return result === null ? null : (RESULTS[result] ?? null);
}
const RESULTS: Readonly<Record<string, string>> = {
  over: 'Over',
  under: 'Under',
  push: 'Push',
  won: 'Won',
  lost: 'Lost',
  dnp: 'Did not play',
  no_stat: 'Not counted',
};

/** Props grouped by player, in the order of the answer. Players of the same name are distinguished by id. */
export function groupByPlayer(props: EventLines['player_props']): EventLines['player_props'][] {
  const players = new Map<string, EventLines['player_props'][number][]>();
  for (const prop of props) {
    const key = `${prop.player_id ?? ''} ${prop.player}`;
    const own = players.get(key);
    if (own) own.push(prop);
    else players.set(key, [prop]);
  }
  return [...players.values()];
}

/** Names of the scopes of period lines. */
export const SCOPE_NAMES: Readonly<Record<string, string>> = {
  '1H': 'First half',
  F5: 'First five innings',
  S1: 'First set',
};
