import type { SportSlug } from '../../../../src/domain/catalogue/catalogue.ts';
import type { DemoMessage } from '../../../../src/sources/demo/demo-day.ts';

export type Message = DemoMessage['message'];
type Counts = Readonly<Record<string, number>>;
export interface Row {
  readonly ref: string;
  readonly name: string;
  readonly role: 'home' | 'away';
  readonly starter: boolean;
  readonly dnp?: boolean;
  readonly stats: Counts;
}
export type BoxMessage = Message & {
  readonly at: string;
  readonly final?: boolean;
  readonly teams: { readonly home: Counts; readonly away: Counts };
  readonly players: readonly Row[];
};

export const boxesIn = (said: readonly Message[]): BoxMessage[] =>
  said.filter(({ kind }) => kind === 'box') as BoxMessage[];

/** What a point is made of, by the statistics of players. */
const POINTS: Partial<Record<SportSlug, Counts>> = {
  nba: { points: 1 },
  ncaab: { points: 1 },
  mlb: { runs: 1 },
  nhl: { goals: 1 },
  soccer: { goals: 1 },
  nfl: { rushing_touchdowns: 6, receiving_touchdowns: 6, field_goals_made: 3, extra_points_made: 1 },
  ncaaf: { rushing_touchdowns: 6, receiving_touchdowns: 6, field_goals_made: 3, extra_points_made: 1 },
};
/** What the players of a side have scored; null where players score nothing. */
export function pointsOf(sport: SportSlug, { players }: BoxMessage, role: 'home' | 'away'): number | null {
  const worth = POINTS[sport];
  if (!worth) return null;
  return players
    .filter((row) => row.role === role)
    .flatMap(({ stats }) => Object.entries(worth).map(([stat, points]) => points * (stats[stat] ?? 0)))
    .reduce((sum, points) => sum + points, 0);
}

export interface Prop {
  readonly ref: string;
  readonly market: string;
  readonly point: number;
  readonly bookmaker: string;
  /** Of more than the point, by the prices, without their margin. */
  readonly chance: number;
}
interface Outcome {
  readonly outcome: string;
  readonly price: number;
  readonly point: number;
  readonly player_ref?: string;
}

const implied = (price: number): number => (price < 0 ? -price / (100 - price) : 100 / (100 + price));

/** The props that are offered at the end, or were offered last before the start: one of each bookmaker. */
export function propsIn(said: readonly Message[], when: 'at the end' | 'before the start' = 'at the end'): Prop[] {
  const offered = new Map<string, Map<string, Outcome>>();
  for (const message of said) {
    if (when === 'before the start' && message['status'] === 'inprogress') break;
    if (message['kind'] !== 'odds') continue;
    for (const { key, complete, outcomes } of message['markets'] as {
      key: string;
      complete?: boolean;
      outcomes: Outcome[];
    }[]) {
      if (!outcomes.some(({ player_ref }) => player_ref)) continue;
      const name = `${message['bookmaker']} ${key}`;
      const present = complete === false ? (offered.get(name) ?? new Map()) : new Map<string, Outcome>();
      for (const outcome of outcomes) present.set(`${outcome.player_ref} ${outcome.point} ${outcome.outcome}`, outcome);
      offered.set(name, present);
    }
  }
  return [...offered].flatMap(([name, outcomes]) => {
    const [bookmaker, market] = name.split(' ') as [string, string];
    return [...outcomes.values()]
      .filter(({ outcome }) => outcome === 'over')
      .map(({ player_ref, point, price }) => {
        const under = outcomes.get(`${player_ref} ${point} under`)!;
        const chance = implied(price) / (implied(price) + implied(under.price));
        return { ref: player_ref!, market, point, bookmaker, chance };
      });
  });
}

/** Statistics that follow from others, as the server has them. */
const COMBINED: Readonly<Record<string, Counts>> = {
  points_rebounds_assists: { points: 1, rebounds: 1, assists: 1 },
  total_bases: { hits: 1, doubles: 1, triples: 2, home_runs: 3 },
  touchdowns: { rushing_touchdowns: 1, receiving_touchdowns: 1 },
};
const carries = ({ players }: BoxMessage, stat: string): boolean => players.some(({ stats }) => stat in stats);

/** How the box settles a prop. */
export function resultOf({ ref, market, point }: Prop, box: BoxMessage): string {
  const row = box.players.find((one) => one.ref === ref);
  if (!row) return 'no_stat';
  if (row.dnp) return 'dnp';
  const parts = COMBINED[market] && !carries(box, market) ? COMBINED[market] : { [market]: 1 };
  if (!Object.keys(parts).every((part) => carries(box, part))) return 'no_stat';
  const value = Object.entries(parts).reduce((sum, [part, times]) => sum + times * (row.stats[part] ?? 0), 0);
  return value > point ? 'over' : value < point ? 'under' : 'push';
}
