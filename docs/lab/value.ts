/** Value against the consensus: bets a moneyline that pays more than all bookmakers together think it is worth. */
import { createInterface } from 'node:readline';

const EDGE = 1.02;
/** Decimal prices by outcome, by bookmaker, by event. */
const prices = new Map<number, Map<string, Map<string, number>>>();
const done = new Set<number>();

const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const decimal = (american: number): number => 1 + (american > 0 ? american / 100 : 100 / -american);

for await (const text of createInterface({ input: process.stdin })) {
  const { change } = JSON.parse(text);
  const { data, event_id: event } = change;
  if (change.type === 'line_move' && data.market_key === 'h2h') {
    const { outcome, bookmaker, price_to } = data;
    const books = prices.get(event) ?? new Map<string, Map<string, number>>();
    prices.set(event, books);
    books.set(bookmaker, (books.get(bookmaker) ?? new Map<string, number>()).set(outcome, decimal(price_to)));
    const whole = [...books.values()].filter((book) => book.size === 2 && book.has(outcome));
    if (whole.length >= 3 && !done.has(event)) {
      // Each bookmaker's chance without its margin, then the mean of all.
      const chances = whole.map((book) => {
        const sum = [...book.values()].reduce((total, price) => total + 1 / price, 0);
        return 1 / book.get(outcome)! / sum;
      });
      const fair = chances.reduce((total, chance) => total + chance, 0) / chances.length;
      if (decimal(price_to) * fair > EDGE) {
        done.add(event);
        say({ bet: { event_id: event, market: 'h2h', outcome, point: null, stake: 10, min_price: price_to } });
      }
    }
  }
  say({ next: true });
}
