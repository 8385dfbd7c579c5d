import { seeded } from '../kill/generated-feed.ts';

/**
 * A season of one league as its feeds tell it, day by day: schedules, prices of eight books that move, splits,
 * scores, a few injuries; some messages repeated, some held up. A day is made when it is asked for, so that a season
 * of any length takes no memory.
 */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Early enough that a season of a gibibyte is over. */
const FIRST_DAY = Date.UTC(2018, 0, 1);
const TEAMS = 30;
export const EVENTS_OF_A_DAY = 15;
const BOOKS = ['pinnacle', 'bet365', 'draftkings', 'fanduel', 'betmgm', 'caesars', 'unibet', 'betrivers'];
const PRICES_OF_A_BOOK = 15;

export type Message = Readonly<Record<string, unknown>>;
interface Placed {
  readonly place: number;
  readonly message: Message;
}

const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');
export const dateOf = (day: number): string => iso(FIRST_DAY + day * DAY).slice(0, 10);
export const startOf = (day: number, event: number): number => FIRST_DAY + day * DAY + 12 * HOUR + event * 20 * MINUTE;
export const refOf = (day: number, event: number): string => `d${day}-e${event}`;
const teamOf = (number: number) => ({ ref: `t${number}`, name: `City ${number} Team`, abbreviation: `C${number}` });

export const directory = (): Message[] =>
  Array.from({ length: TEAMS }, (_, n) => ({
    kind: 'team',
    source: 'season',
    at: iso(FIRST_DAY - 30 * DAY),
    sport: 'nba',
    league: 'nba',
    ...teamOf(n),
  }));

export const scheduleOf = (day: number, event: number): Message => {
  const sides = [(event * 2 + day) % TEAMS, (event * 2 + day + 1) % TEAMS];
  return {
    kind: 'schedule',
    source: 'season',
    at: iso(startOf(day, event) - 2 * DAY),
    sport: 'nba',
    league: 'nba',
    ref: refOf(day, event),
    starts_at: iso(startOf(day, event)),
    participants: sides.map((team, index) => ({ role: (['home', 'away'] as const)[index], ...teamOf(team) })),
    venue: { name: `Hall ${sides[0]}`, city: `City ${sides[0]}` },
  };
};

/** @param line moves the main lines; @param price the home side's */
export const pricesOf = (ref: string, bookmaker: string, at: number, line: number, price: number): Message => ({
  kind: 'odds',
  source: 'season',
  at: iso(at),
  ref,
  bookmaker,
  markets: [
    {
      key: 'h2h',
      outcomes: [
        { outcome: 'home', price },
        { outcome: 'away', price: -price },
      ],
    },
    {
      key: 'spreads',
      outcomes: [
        { outcome: 'home', price: -110, point: line },
        { outcome: 'away', price: -110, point: -line },
      ],
    },
    { key: 'totals', outcomes: ['over', 'under'].map((outcome) => ({ outcome, price: -110, point: 220 + line })) },
  ],
});

export const scoreOf = (ref: string, at: number, status: string, points: readonly [number, number]): Message => ({
  kind: 'score',
  source: 'season',
  at: iso(at),
  ref,
  status,
  period: '2',
  clock: '5:00',
  scores: (['home', 'away'] as const).map((role, index) => ({ role, score: String(points[index]) })),
});

function eventOf(day: number, event: number, random: () => number): Message[] {
  const start = startOf(day, event);
  const ref = refOf(day, event);
  const whole = (below: number): number => Math.floor(random() * below);
  const messages: Message[] = [scheduleOf(day, event)];
  for (const book of BOOKS) {
    for (let n = 0; n < PRICES_OF_A_BOOK; n++) {
      const at = start - 30 * HOUR + n * 2 * HOUR + whole(110) * MINUTE;
      messages.push(pricesOf(ref, book, at, whole(30) / 2 - 7, 100 + whole(60)));
    }
  }
  for (let n = 1; n <= 4; n++) {
    const home = whole(101);
    const side = (bets_pct: number) => ({ bets_pct, handle_pct: whole(101) });
    const markets = { moneyline: { home: side(home), away: side(100 - home) } };
    messages.push({ kind: 'splits', source: 'season', ref, at: iso(start - n * 5 * HOUR), markets });
  }
  let points: [number, number] = [0, 0];
  for (let minute = 1; minute <= 121; minute += 3) {
    points = [points[0] + whole(6), points[1] + whole(6)];
    messages.push(scoreOf(ref, start + minute * MINUTE, minute === 121 ? 'final' : 'inprogress', points));
  }
  if (random() < 0.3) {
    const player = { player: `Player ${whole(300)}`, team_ref: `t${(event * 2 + day) % TEAMS}` };
    const said = { sport: 'nba', league: 'nba', at: iso(start - DAY), status: 'questionable' };
    messages.push({ kind: 'injury', source: 'season', ...said, ...player });
  }
  return messages;
}

/** What a feed brings on one day, in the order of arrival. */
export function dayOf(seed: number, day: number): Message[] {
  const random = seeded(seed * 100_003 + day);
  const placed: Placed[] = [];
  for (let event = 0; event < EVENTS_OF_A_DAY; event++) {
    for (const message of eventOf(day, event, random)) {
      const heldUp = random() < 0.01 ? random() * HOUR : 0;
      placed.push({ place: Date.parse(String(message['at'])) + heldUp, message });
      if (random() < 0.01) placed.push({ place: Date.parse(String(message['at'])) + HOUR, message });
    }
  }
  return placed.sort((a, b) => a.place - b.place).map(({ message }) => message);
}

/** NDJSON of the directory and of days one after another, without an end. */
export function* season(seed: number): Generator<string> {
  const text = (messages: readonly Message[]) => `${messages.map((one) => JSON.stringify(one)).join('\n')}\n`;
  yield text(directory());
  for (let day = 0; ; day++) yield text(dayOf(seed, day));
}
