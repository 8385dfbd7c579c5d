import { expect } from 'vitest';
import { theOddsApiImporter } from '../../../src/sources/the-odds-api/importer.ts';
import { importJson } from '../../sources/import-json.ts';
import { type AgentServer, serveAgent } from '../agent/serving.ts';
import type { Message } from '../spec/messages.ts';
import { type AskCompat, asking } from './odds-api-client.ts';

/** A server that was told an answer of The Odds API by the importer. @param time milliseconds */
export async function importedServer(
  answer: unknown,
  time: number,
): Promise<AgentServer & { readonly compat: AskCompat }> {
  const server = await serveAgent({ time });
  const { messages } = await importJson(theOddsApiImporter, answer, {});
  await server.feed(...(messages as Message[]));
  return { ...server, compat: asking(server) };
}

const DRAW = 'Draw';
const compare = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0);
const byName = (a: any, b: any): number =>
  Number(a.name === DRAW) - Number(b.name === DRAW) || compare(a.name, b.name) || (a.point ?? 0) - (b.point ?? 0);
const byBet = (a: any, b: any): number =>
  compare(a.description ?? '', b.description ?? '') || (a.point ?? 0) - (b.point ?? 0) || compare(a.name, b.name);
const isBet = ({ name }: any): boolean => ['Over', 'Under', 'Yes', 'No'].includes(name);

const FIRST = ['h2h', 'spreads', 'totals'];
const place = (key: string): number => (FIRST.indexOf(key) + FIRST.length + 1) % (FIRST.length + 1);

/** An answer's event as this server orders it, without its id, which is another one. */
export function inOrder({ id: _, bookmakers, ...event }: any): unknown {
  const ordered = bookmakers.map(({ markets, ...book }: any) => ({
    ...book,
    markets: markets
      .map(({ outcomes, ...market }: any) => ({
        ...market,
        outcomes: outcomes.toSorted(outcomes.some(isBet) ? byBet : byName),
      }))
      .toSorted((a: any, b: any) => rank(a.key) - rank(b.key) || compare(a.key, b.key)),
  }));
  return { ...event, bookmakers: ordered.toSorted((a: any, b: any) => compare(a.key, b.key)) };
}
const rank = (key: string): number => (FIRST.includes(key) ? place(key) - 1 : FIRST.length);

/** The same without what only the order tells. */
export const expectSame = (given: readonly any[], answered: readonly any[]): void => {
  const key = (event: any): string => `${event.commence_time} ${event.home_team} ${event.away_team}`;
  const sorted = (events: readonly any[]) => events.map(inOrder).toSorted((a, b) => compare(key(a), key(b)));
  expect(sorted(answered)).toEqual(sorted(given));
};
