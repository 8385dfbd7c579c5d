/** Fade of a late mover: a total that moves in the last two hours before the start is bet back the other way. */
import { createInterface } from 'node:readline';

const LATE = 7_200_000;
const starts = new Map<number, number>();
const done = new Set<number>();

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function ask(path: string) {
  say({ ask: { path } });
  return JSON.parse((await lines.next()).value);
}

for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const { now: time, change } = JSON.parse(line.value);
  const { event_id: event, data } = change;
  const now = Date.parse(time);
  const isTotal = change.type === 'line_move' && data.market_key === 'totals' && data.outcome === 'Over';
  if (isTotal && data.point_from !== null && data.point_from !== data.point_to && !done.has(event)) {
    if (!starts.has(event)) starts.set(event, Date.parse((await ask(`/v1/events/${event}`)).starts_at));
    const left = starts.get(event)! - now;
    if (left > 0 && left <= LATE) {
      done.add(event);
      const outcome = data.point_to > data.point_from ? 'under' : 'over';
      const bet = { event_id: event, market: 'totals', outcome, point: data.point_to, stake: 10, min_price: -115 };
      say({ bet });
    }
  }
  say({ next: true });
}
