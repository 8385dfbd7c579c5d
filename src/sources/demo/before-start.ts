import type { FeedMessage } from '../../domain/feed/messages.ts';
import type { Side } from './cast/sides.ts';
import { SQUADS } from './cast/squads.ts';
import type { Fixture } from './fixture.ts';
import { randomFor } from './random.ts';

const HOUR = 3600;

/** A message that still lacks its time, at a second of the day. */
export interface Untimed {
  readonly second: number;
  readonly message: Record<string, unknown> & { readonly kind: FeedMessage['kind'] };
}

/** Somebody of a side will be missing; the market learns of it at `second` of the day. */
export interface Absence {
  readonly side: 0 | 1;
  /** The ref of who it is. */
  readonly player: string;
  readonly second: number;
}

const PARTS = ['knee', 'ankle', 'shoulder', 'hamstring', 'wrist', 'back'];
const HURT = 0.35;

/** Reports on a player of one side, and that somebody looked for more. */
export function injuriesOf(fixture: Fixture, seed: number): { messages: Untimed[]; absence: Absence | null } {
  const { sport, ref, sides, startsAt } = fixture;
  const random = randomFor(seed, ref, 'injuries');
  if (sport === 'tennis') return { messages: [], absence: null };
  const checked = (hours: number): Untimed => ({
    second: startsAt - hours * HOUR,
    message: { kind: 'injury', ref, checked: true },
  });
  const messages = [checked(random.between(3.3, 4)), checked(random.between(0.4, 0.8))];
  if (!random.chance(HURT)) return { messages, absence: null };
  const side = random.index(2) as 0 | 1;
  const team = sides[side];
  const player = random.pick(team.players.filter((_, index) => SQUADS[sport][index]!.spared));
  const body_part = random.pick(PARTS);
  const report = (hours: number, status: string, note: string): Untimed => ({
    second: startsAt - hours * HOUR,
    message: {
      kind: 'injury',
      sport,
      league: team.league,
      player: player.name,
      player_ref: player.ref,
      team: team.name,
      team_ref: team.ref,
      status,
      body_part,
      note: `Simulated: ${note}`,
    },
  });
  const misses = random.chance(0.6);
  const decided = random.between(1.2, 2);
  messages.push(report(random.between(2.6, 3.2), 'questionable', `trained apart because of the ${body_part}`));
  messages.push(misses ? report(decided, 'out', 'will not play') : report(decided, 'available', 'will play'));
  return { messages, absence: misses ? { side, player: player.ref, second: startsAt - decided * HOUR } : null };
}

/** Hours before the start at which the demo tells how the public bets. */
const TOLD = [3.6, 2.4, 1.3, 0.5];
/** The one bookmaker that tells splits of its own, beside the consensus. */
const OWN_SPLITS = 'draftkings';

/** @param favoured how likely the first side is thought to win */
export function splitsOf({ ref, startsAt }: Fixture, seed: number, favoured: number): Untimed[] {
  const random = randomFor(seed, ref, 'splits');
  const messages: Untimed[] = [];
  for (const bookmaker of [undefined, OWN_SPLITS]) {
    const bias = { moneyline: favoured + 0.12 * Math.sign(favoured - 0.5), spread: 0.5, total: 0.56 };
    const levels = Object.entries(bias).map(([market, mean]) => {
      const bets = random.normal(mean, 0.09);
      return { market, bets, handle: bets + random.normal(0, 0.08) };
    });
    for (const hours of TOLD) {
      const markets = levels.map((level) => {
        level.bets += random.normal(0, 0.025);
        level.handle += random.normal(0, 0.03);
        const [first, second] = level.market === 'total' ? ['over', 'under'] : ['home', 'away'];
        const bets = percent(level.bets);
        const handle = percent(level.handle);
        return [
          level.market,
          {
            [first!]: { bets_pct: bets, handle_pct: handle },
            [second!]: { bets_pct: 100 - bets, handle_pct: 100 - handle },
          },
        ] as const;
      });
      const second = startsAt - hours * HOUR * random.between(0.9, 1.05) + (bookmaker ? 120 : 0);
      const named = bookmaker === undefined ? {} : { bookmaker };
      messages.push({ second, message: { kind: 'splits', ref, ...named, markets: Object.fromEntries(markets) } });
    }
  }
  return messages;
}
const percent = (share: number): number => Math.round(100 * Math.min(0.93, Math.max(0.07, share)));

/** The messages that make a side known to the directory. */
export function directoryOf(side: Side, sport: string): Untimed['message'][] {
  const { ref, league, name, abbreviation, shortName, town, timezone, country, players } = side;
  const nation = country === null ? {} : { country_code: country };
  if (abbreviation === null) {
    const [first_name, ...rest] = name.split(' ');
    return [{ kind: 'player', sport, league, ref, full_name: name, first_name, last_name: rest.join(' '), ...nation }];
  }
  return [
    {
      kind: 'team',
      sport,
      league,
      ref,
      name,
      abbreviation,
      short_name: shortName!,
      city: town!,
      ...nation,
      venue: venueOf(town!, timezone!, country),
    },
    ...players.map((player) => ({
      kind: 'player' as const,
      sport,
      league,
      ref: player.ref,
      full_name: player.name,
      team_ref: ref,
      position: player.position,
      ...nation,
    })),
  ];
}

export const venueOf = (town: string, timezone: string, country: string | null) => ({
  name: `Simulated Arena of ${town}`,
  city: town,
  ...(country === null ? {} : { country }),
  timezone,
});
