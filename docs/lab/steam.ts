/** Steam follower: two bookmakers move a spread the same way within ten minutes; it bets at a third that has not moved. */
import { createInterface } from 'node:readline';

const WITHIN = 600_000;
/** The point of each bookmaker, by event and outcome. */
const points = new Map<string, Map<string, number>>();
const moves = new Map<string, { readonly at: number; readonly book: string }[]>();
const done = new Set<string>();

const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

for await (const text of createInterface({ input: process.stdin })) {
  const { now: time, change } = JSON.parse(text);
  const { data, event_id } = change;
  if (change.type === 'line_move' && data.market_key === 'spreads') {
    const { outcome, bookmaker: book, point_from, point_to } = data;
    const now = Date.parse(time);
    const key = `${event_id} ${outcome}`;
    const known = (points.get(key) ?? new Map<string, number>()).set(book, point_to);
    points.set(key, known);
    if (point_from !== null && point_to < point_from) {
      // A lower point: this side is thought to be stronger than before.
      const recent = [...(moves.get(key) ?? []).filter(({ at }) => now - at <= WITHIN), { at: now, book }];
      moves.set(key, recent);
      const movers = new Set(recent.map((move) => move.book));
      const left = [...known]
        .filter(([name, point]) => !movers.has(name) && point > point_to)
        .sort(([a, p], [b, q]) => q - p || (a > b ? -1 : 1));
      if (movers.size >= 2 && left.length > 0 && !done.has(key)) {
        done.add(key);
        const [name, point] = left[0]!;
        say({ bet: { event_id, market: 'spreads', outcome, point, stake: 10, min_price: -120, book: name } });
      }
    }
  }
  say({ next: true });
}
