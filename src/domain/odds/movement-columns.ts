import { formatTime } from '../primitives/time.ts';
import { WATCHED_MARKETS } from './bookmaker-prices.ts';
import { MOVED_OUTCOMES, type Movement } from './line-movements.ts';

/** Numbers of one movement: time, bookmaker, market and outcome, price before and after, point before and after. */
const WIDTH = 7;
const FIRST_ROWS = 256;

const OUTCOMES = MOVED_OUTCOMES.length;
const CODES = new Map<string, number>(
  WATCHED_MARKETS.flatMap((market, place) =>
    MOVED_OUTCOMES.map((outcome, index) => [`${market}|${outcome}`, place * OUTCOMES + index] as const),
  ),
);

/** A movement, with the number that its bookmaker has here. */
export interface PlacedMovement {
  readonly book: number;
  readonly movement: Movement;
}

/** Any number of movements of one event, 56 bytes each. */
export class MovementColumns {
  #numbers = new Float64Array(FIRST_ROWS * WIDTH);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** @param time milliseconds */
  add(book: number, time: number, { market, outcome, from, to, pointFrom, pointTo }: Omit<Movement, 'at'>): void {
    const start = this.#length * WIDTH;
    if (start === this.#numbers.length) {
      const larger = new Float64Array(2 * start);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const numbers = this.#numbers;
    numbers[start] = time;
    numbers[start + 1] = book;
    numbers[start + 2] = CODES.get(`${market}|${outcome}`)!;
    numbers[start + 3] = from;
    numbers[start + 4] = to;
    numbers[start + 5] = pointFrom ?? Number.NaN;
    numbers[start + 6] = pointTo ?? Number.NaN;
    this.#length++;
  }

  /** Removes the movements of some bookmakers. */
  remove(books: ReadonlySet<number>): void {
    let kept = 0;
    for (let row = 0; row < this.#length; row++) {
      if (books.has(this.#numbers[row * WIDTH + 1]!)) continue;
      this.#numbers.copyWithin(kept * WIDTH, row * WIDTH, (row + 1) * WIDTH);
      kept++;
    }
    this.#length = kept;
  }

  /**
   * The rows newest first; of one time by bookmaker, and of one bookmaker the last added first.
   * @param placeOf the place of a bookmaker in that order
   */
  newestFirst(placeOf: (book: number) => number): number[] {
    const numbers = this.#numbers;
    const last = this.#length - 1;
    // Nearly in order already, which the sort makes use of.
    const rows = Array.from({ length: this.#length }, (_, index) => last - index);
    return rows.sort((a, b) => {
      const [one, other] = [a * WIDTH, b * WIDTH];
      return numbers[other]! - numbers[one]! || placeOf(numbers[one + 1]!) - placeOf(numbers[other + 1]!) || b - a;
    });
  }

  /** All movements, in the order in which they were added. */
  *all(): Generator<Movement> {
    for (let row = 0; row < this.#length; row++) yield this.at(row).movement;
  }

  at(row: number): PlacedMovement {
    const start = row * WIDTH;
    const [time, book, code, from, to, pointFrom, pointTo] = this.#numbers.subarray(start, start + WIDTH);
    return {
      book: book!,
      movement: {
        market: WATCHED_MARKETS[Math.floor(code! / OUTCOMES)]!,
        outcome: MOVED_OUTCOMES[code! % OUTCOMES]!,
        from: from!,
        to: to!,
        pointFrom: Number.isNaN(pointFrom) ? null : pointFrom!,
        pointTo: Number.isNaN(pointTo) ? null : pointTo!,
        at: formatTime(time!),
      },
    };
  }
}
