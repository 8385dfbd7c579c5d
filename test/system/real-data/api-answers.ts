/** Answers of the API in the shape in which tests compare them with a file. */

/** Letters and digits alone: files write one name in several ways. */
export const bare = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

export type Books = Record<string, Record<string, Record<string, [price: number, point: number | null]>>>;

/** Prices by bookmaker, market and outcome: `home`, `away`, `player_1`, `player_2`, `draw`, `over` or `under`. */
export function booksOf(odds: any, event: any): Books {
  const sides = event.participants.map((one: any) => [(one.team ?? one.player).name, one.role] as const);
  const outcomes = new Map<string, string>([['Draw', 'draw'], ['Over', 'over'], ['Under', 'under'], ...sides]);
  return Object.fromEntries(
    odds.bookmakers.map(({ bookmaker, markets }: any) => [
      bookmaker,
      Object.fromEntries(
        markets.map((market: any) => [
          market.key,
          Object.fromEntries(
            market.outcomes.map(({ outcome, price, point }: any) => [outcomes.get(outcome) ?? outcome, [price, point]]),
          ),
        ]),
      ),
    ]),
  );
}

/** The splits by bookmaker, the consensus among them; null where there are none. */
export function splitsOf({ available, consensus, bookmakers }: any): Record<string, unknown> | null {
  if (!available) return null;
  const named = bookmakers.map(({ bookmaker, name, ...markets }: any) => [bookmaker, markets]);
  return Object.fromEntries(Object.keys(consensus).length > 0 ? [['consensus', consensus], ...named] : named);
}
