import fc from 'fast-check';
import type { Message } from './small-server.ts';

/**
 * A small world of sport, and histories of what sources say about it. Whatever is drawn, every history is complete:
 * it introduces everything that its messages name. What the contract itself lets depend on the order of arrival is
 * left out; each such place says so.
 */
const HOUR = 3_600_000;
/** When the last thing was observed, and a while more. */
export const NOW = Date.parse('2026-12-01T00:00:00Z');
export const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

export interface WorldEvent {
  readonly ref: string;
  readonly sport: string;
  readonly league: string;
  readonly start: number;
  /** First side, second side, as `alpha` has them. */
  readonly sides: readonly [string, string];
  /** Whether `beta` and `delta` have the sides the other way round. */
  readonly turned: boolean;
  /** Hours by which its start may move. Sources that name events by `match` need all starts within the window. */
  readonly moves: readonly number[];
  /** Only sources that name it by ref. */
  readonly byRefOnly?: true;
  /** The first schedule does not know the second side yet. */
  readonly opensUnknown?: true;
}

const start = Date.parse('2026-09-10T18:00:00Z');
export const EVENTS: readonly WorldEvent[] = [
  {
    ref: 'nfl-1',
    sport: 'nfl',
    league: 'nfl',
    start,
    sides: ['Kansas City Chiefs', 'Buffalo Bills'],
    turned: true,
    moves: [0, 1, 5],
  },
  {
    ref: 'nfl-2',
    sport: 'nfl',
    league: 'nfl',
    start: start + 72 * HOUR,
    sides: ['Buffalo Bills', 'Kansas City Chiefs'],
    turned: false,
    moves: [0, 2],
  },
  {
    ref: 'epl-1',
    sport: 'soccer',
    league: 'epl',
    start,
    sides: ['Arsenal', 'Málaga C.F.'],
    turned: false,
    moves: [0, 3],
  },
  {
    ref: 'atp-1',
    sport: 'tennis',
    league: 'atp',
    start,
    sides: ['Novak Đoković', 'Rafael Nadal'],
    turned: true,
    moves: [0, 4, 20],
  },
  {
    ref: 'atp-2',
    sport: 'tennis',
    league: 'atp',
    start: start + HOUR,
    sides: ['A. Smith/B. Jones', 'Rafael Nadal/C. Ruud'],
    turned: true,
    moves: [0, 24],
  },
  {
    ref: 'nba-1',
    sport: 'nba',
    league: 'nba',
    start,
    sides: ['Boston Celtics', 'Miami Heat'],
    turned: false,
    moves: [0, 90, 240],
    byRefOnly: true,
    opensUnknown: true,
  },
];

const isTennis = (event: WorldEvent) => event.sport === 'tennis';
const rolesOf = (event: WorldEvent) =>
  (isTennis(event) ? ['player_1', 'player_2'] : ['home', 'away']) as [string, string];
const TEAMS = EVENTS.filter((event) => !isTennis(event)).flatMap(({ sport, league, sides }) =>
  sides.map((name) => ({ sport, league, name })),
);
const PLAYERS = [
  { sport: 'tennis', name: 'Novak Đoković', team: undefined },
  { sport: 'tennis', name: 'Rafael Nadal', team: undefined },
  { sport: 'nfl', name: "Ja'Marr O’Neil", team: 'Kansas City Chiefs' },
  { sport: 'nfl', name: 'Josh Allen', team: 'Buffalo Bills' },
  { sport: 'soccer', name: 'Bukayo Saka', team: 'Arsenal' },
];

/** Spellings that count as one name. */
const spelled = (name: string, variant: number): string =>
  [name, name.toUpperCase(), name.replaceAll('á', 'a').replaceAll('ć', 'c'), name.replaceAll('.', '')][variant % 4]!;

/** One draw: numbers from which a message is made. */
export interface Draw {
  readonly kind: number;
  readonly event: number;
  readonly source: number;
  readonly at: number;
  readonly variant: number;
  readonly other: number;
  readonly turned: boolean;
}
const draw: fc.Arbitrary<Draw> = fc.record({
  kind: fc.nat({ max: 19 }),
  event: fc.nat({ max: EVENTS.length - 1 }),
  source: fc.nat({ max: 4 }),
  at: fc.nat({ max: 13 }),
  variant: fc.nat({ max: 63 }),
  other: fc.nat({ max: 63 }),
  turned: fc.boolean(),
});

const SLOTS = [-240, -120, -72, -48, -30, -24, -18, -12, 0, 1, 2, 3, 4, 30];
const BEFORE_ALL = -400;
const STATUSES = ['scheduled', 'delayed', 'postponed', 'cancelled', 'walkover', 'final', 'inprogress', 'suspended'];
const BOOKS = ['pinnacle', 'fanduel', 'some_book'];
const pick = <T>(from: readonly T[], n: number): T => from[n % from.length]!;

interface Naming {
  readonly source: string;
  readonly naming: Message;
  readonly turned: boolean;
}

function namingOf(event: WorldEvent, { source, other, turned }: Draw): Naming {
  const kinds = event.byRefOnly ? ['alpha', 'epsilon'] : ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
  const name = pick(kinds, source);
  // gamma knows no refs, and has the sides one way or the other from message to message.
  if (name === 'gamma') return { source: name, naming: { match: matchOf(event, turned, other) }, turned };
  const own = event.turned && (name === 'beta' || name === 'delta');
  return { source: name, naming: { ref: `${name}-${event.ref}` }, turned: own };
}

function matchOf(event: WorldEvent, turned: boolean, variant: number): Message {
  const [first, second] = turned ? [event.sides[1], event.sides[0]] : event.sides;
  const [one, two] = rolesOf(event);
  const { sport, league } = event;
  return {
    sport,
    league,
    starts_at: iso(event.start + HOUR),
    [one]: spelled(first, variant),
    [two]: spelled(second, variant >> 2),
  };
}

const atOf = (event: WorldEvent, slot: number) => iso(event.start + slot * HOUR);

function participant(event: WorldEvent, index: 0 | 1, role: string, source: string, variant: number): Message {
  const name = event.sides[index];
  const members = name.split('/').map((member) => ({ name: member, ref: `${source}-${member}` }));
  const shown = spelled(name, variant);
  const country = variant % 5 === 0 ? { country_code: 'ESP' } : {};
  if (members.length > 1) return { role, name: shown, ...(variant % 2 === 0 ? { members } : {}) };
  const abbreviation = isTennis(event) ? {} : { abbreviation: name.slice(0, 3).toUpperCase() };
  return { role, name: shown, ...country, ...abbreviation, ...(variant % 3 === 0 ? { ref: `${source}-${name}` } : {}) };
}

function schedule(event: WorldEvent, source: 'alpha' | 'beta', slot: number, { variant, other }: Draw): Message {
  const turned = source === 'beta' && event.turned;
  const roles = rolesOf(event);
  const order = turned ? ([1, 0] as const) : ([0, 1] as const);
  const isFirst = slot === BEFORE_ALL;
  const participants = order.map((index, place) =>
    isFirst && event.opensUnknown && index === 1
      ? { role: roles[place], name: 'Winner of game 3', placeholder: true }
      : participant(event, index, roles[place]!, source, other),
  );
  const season = { year: 2026 - (other & 1), phase: pick(['regular_season', 'playoffs'], other >> 1) };
  const said = pick(
    [{ name: 'The season' }, { start_date: '2026-08-01' }, { name: 'Other', end_date: '2027-02-01' }, {}],
    variant,
  );
  return {
    kind: 'schedule',
    source,
    at: atOf(event, slot),
    sport: event.sport,
    league: event.league,
    ref: `${source}-${event.ref}`,
    starts_at: iso(event.start + (isFirst ? 0 : pick(event.moves, variant)) * HOUR),
    participants,
    ...(source === 'alpha' ? { refs: { epsilon: `epsilon-${event.ref}` } } : {}),
    ...(variant & 4 ? { season: { ...season, ...said } } : {}),
    ...(variant & 8 ? { round: pick(['Week 1', 'Week 2'], other) } : {}),
    ...(variant & 16 ? { venue: { name: pick(['Arrowhead', 'Estadio'], other), city: 'X' } } : {}),
    ...(variant & 32 ? { broadcast: pick(['ESPN', 'BBC'], other), neutral_site: other % 2 === 0 } : {}),
    ...(isTennis(event) && variant & 2
      ? { competition: { name: 'Open', surface: pick(['clay', 'hard'], other) } }
      : {}),
    ...(!isFirst && other > 47 ? { status: pick(STATUSES.slice(0, 6), variant) } : {}),
  };
}

function score(event: WorldEvent, slot: number, { variant, other }: Draw, { source, naming, turned }: Naming): Message {
  // Live before the start would close the splits earlier: whether older splits are refused hangs on the order then.
  const status = pick(slot >= 0 ? STATUSES : STATUSES.slice(0, 6), variant);
  const [one, two] = turned ? rolesOf(event).toReversed() : rolesOf(event);
  const side = (role: string, n: number): Message => ({
    role,
    ...(n & 1 ? { score: isTennis(event) ? pick(['6 4', '3 6', '7'], n) : String(n % 30) } : {}),
    ...(n & 2 ? { period_scores: [{ period: '1', score: n % 9 }, ...(n & 4 ? [{ period: '2', score: 1 }] : [])] } : {}),
    ...(n & 8 && isTennis(event) ? { game_score: '40' } : {}),
    ...(n & 16 ? { is_winner: n % 3 === 0 } : {}),
  });
  return {
    kind: 'score',
    source,
    at: atOf(event, slot),
    ...naming,
    status,
    ...(variant & 8 ? { period: pick(['1', '2', 'OT'], other), clock: '10:00' } : {}),
    ...(variant & 16 ? { scores: [side(one!, other), ...(other & 32 ? [side(two!, variant)] : [])] } : {}),
    ...(variant & 32 ? { result_type: 'overtime' } : {}),
    ...(other % 11 === 0 && slot >= 0 ? { inprogress_since: iso(event.start) } : {}),
  };
}

function odds(event: WorldEvent, slot: number, { variant, other }: Draw, { source, naming, turned }: Naming): Message {
  const [one, two] = turned ? rolesOf(event).toReversed() : rolesOf(event);
  const price = (n: number) => pick([-110, -105, 100, 120], n);
  const point = pick([-3.5, -2.5, 3], other >> 2);
  const both = [
    { outcome: one, price: price(variant) },
    { outcome: two, price: price(other) },
  ];
  const markets: Message[] = [
    { key: 'h2h', outcomes: both },
    { key: 'h2h', outcomes: [], ...(other % 2 === 0 ? { complete: true } : {}) },
    { key: 'h2h', complete: false, outcomes: [both[other % 2]] },
    { key: 'spreads', outcomes: both.map((outcome, n) => ({ ...outcome, point: n === 0 ? point : -point })) },
    { key: 'spreads', alternate: true, outcomes: both.map((outcome) => ({ ...outcome, point })) },
    { key: 'spreads', alternate: true, complete: false, outcomes: [{ ...both[0], point: point + 1 }] },
    { key: 'totals', outcomes: [{ outcome: 'over', price: price(variant), point: 40 + (other % 3) }] },
    { key: 'totals', scope: '1H', outcomes: [{ outcome: 'under', price: price(other), point: 20 }] },
    { key: 'passing_yards', outcomes: [{ outcome: 'over', price: -110, point: 250, player: 'Josh Allen' }] },
    {
      key: 'passing_yards',
      complete: other % 2 === 0,
      outcomes: [{ outcome: 'under', price: 105, point: 250, player: 'J. Allen', player_ref: `${source}-Josh Allen` }],
    },
  ];
  return {
    kind: 'odds',
    source,
    at: atOf(event, slot),
    ...naming,
    bookmaker: pick(BOOKS, other),
    markets: [pick(markets, variant), ...(variant & 32 ? [pick(markets, variant + 3)] : [])],
  };
}

function splits(
  event: WorldEvent,
  slot: number,
  { variant, other }: Draw,
  { source, naming, turned }: Naming,
): Message {
  const side = (n: number) => ({ bets_pct: n, handle_pct: 100 - n, ...(n & 1 ? { line: n / 2 } : { price: -110 }) });
  const [one, two] = turned ? ['away', 'home'] : ['home', 'away'];
  const markets = [
    { moneyline: { [one]: side(variant), [two]: side(other) } },
    { spread: { [one]: side(variant) } },
    { total: { over: side(variant), under: side(other) } },
    {},
  ];
  // Splits between the first and the last start that an event ever had are refused or not as the order has it:
  // "one whose `at` is not before the event's start as known".
  const early = slot <= -12 ? slot : -24;
  return {
    kind: 'splits',
    source,
    at: atOf(event, early),
    ...naming,
    ...(other % 2 === 0 ? { bookmaker: pick(BOOKS, other >> 1) } : {}),
    markets: pick(markets, variant >> 2),
  };
}

function box(event: WorldEvent, slot: number, { variant, other }: Draw, { source, naming }: Naming): Message {
  const stats = { points: variant, rebounds: other };
  const row = { ref: '1', name: 'Josh Allen', role: rolesOf(event)[other % 2], stats: { passing_yards: 240 + other } };
  return {
    kind: 'box',
    source,
    at: atOf(event, slot),
    ...naming,
    ...(variant & 2 ? { final: variant % 2 === 0 } : {}),
    ...(variant & 4 ? { teams: { [other % 2 === 0 ? 'home' : 'away']: stats } } : {}),
    ...(variant & 8 ? { players: [row] } : {}),
  };
}

function lineup(event: WorldEvent, slot: number, { variant }: Draw, { source, naming }: Naming): Message {
  const players = [{ name: pick(['One', 'Two'], variant), starter: true }];
  return { kind: 'lineup', source, at: atOf(event, slot), ...naming, teams: { home: { players } } };
}

const INJURED = PLAYERS.filter(({ team }) => team !== undefined);
function injury(event: WorldEvent, slot: number, { variant, other, turned }: Draw): Message {
  const { sport, name, team } = pick(INJURED, variant);
  const league = sport === 'soccer' ? 'epl' : 'nfl';
  const byRef = turned ? { player_ref: `alpha-${name}`, team_ref: `alpha-${team}` } : {};
  return {
    kind: 'injury',
    source: turned ? 'alpha' : 'gamma',
    at: atOf(event, slot),
    sport,
    league,
    player: spelled(name, other),
    team: spelled(team!, other),
    ...byRef,
    status: pick(['available', 'probable', 'questionable', 'doubtful', 'out'], variant >> 2),
    ...(other & 1 ? { note: pick(['knee', 'ankle'], other >> 1) } : {}),
    ...(other & 4 ? { body_part: 'knee' } : {}),
  };
}

function team(slot: number, { variant, other, turned }: Draw): Message {
  const { sport, league, name } = pick(TEAMS, variant);
  const source = turned ? 'alpha' : 'beta';
  return {
    kind: 'team',
    source,
    at: iso(start + slot * HOUR),
    sport,
    league,
    ref: `${source}-${name}`,
    name: slot === BEFORE_ALL ? name : spelled(name, other),
    abbreviation:
      slot === BEFORE_ALL ? name.slice(0, 3).toUpperCase() : pick(['ABC', 'XYZ'], other >> 2) + name.slice(0, 2),
    ...(other & 1 ? { city: pick(['Here', 'There'], other >> 1) } : {}),
    ...(other & 8 ? { image_url: `https://x.example/${other & 3}` } : {}),
  };
}

function player(slot: number, { variant, other, turned }: Draw): Message {
  const { sport, name, team: own } = pick(PLAYERS, variant);
  const source = turned ? 'alpha' : 'beta';
  return {
    kind: 'player',
    source,
    at: iso(start + slot * HOUR),
    sport,
    ref: `${source}-${name}`,
    full_name: slot === BEFORE_ALL ? name : spelled(name, other),
    ...(own ? { team_ref: `${source}-${own}` } : {}),
    ...(other & 1 ? { position: pick(['QB', 'WR'], other >> 1) } : {}),
    ...(other & 8 ? { country_code: 'USA' } : {}),
    ...(sport === 'tennis' && other & 4 ? { tennis_ranking: 1 + (other % 5) } : {}),
  };
}

const NOTHING: Draw = { kind: 0, event: 0, source: 0, at: 0, variant: 0, other: 0, turned: true };

/** What makes a history complete: every source has introduced what it names, before it says anything else. */
export function introductions(): Message[] {
  const messages: Message[] = [];
  TEAMS.forEach((_, variant) => {
    for (const turned of [true, false]) messages.push(team(BEFORE_ALL, { ...NOTHING, variant, turned }));
  });
  PLAYERS.forEach((_, variant) => {
    for (const turned of [true, false]) messages.push(player(BEFORE_ALL, { ...NOTHING, variant, turned }));
  });
  for (const event of EVENTS) {
    messages.push(schedule(event, 'alpha', BEFORE_ALL, NOTHING));
    // The second side becomes known only later: what a source says of it by `match` would wait for that.
    if (event.opensUnknown) messages.push(schedule(event, 'alpha', BEFORE_ALL + 1, NOTHING));
    if (event.byRefOnly) continue;
    messages.push(schedule(event, 'beta', BEFORE_ALL, NOTHING));
    const naming = {
      source: 'delta',
      naming: { ref: `delta-${event.ref}`, match: matchOf(event, event.turned, 0) },
      turned: event.turned,
    };
    messages.push(odds(event, BEFORE_ALL + 2, NOTHING, naming));
  }
  return messages;
}

export function messageOf(drawn: Draw): Message {
  const event = EVENTS[drawn.event]!;
  const slot = pick(SLOTS, drawn.at);
  const naming = namingOf(event, drawn);
  switch (drawn.kind) {
    case 0:
    case 1:
    case 2:
      return schedule(event, drawn.turned || event.byRefOnly ? 'alpha' : 'beta', slot, drawn);
    case 3:
    case 4:
    case 5:
    case 6:
      return score(event, slot, drawn, naming);
    case 7:
    case 8:
    case 9:
    case 10:
    case 11:
      return odds(event, slot, drawn, naming);
    case 12:
    case 13:
      return splits(event, slot, drawn, naming);
    case 14:
      return box(event, slot, drawn, naming);
    case 15:
      return lineup(event, slot, drawn, naming);
    case 16:
      return injury(event, slot, drawn);
    case 17:
      return { kind: 'injury', source: naming.source, at: atOf(event, slot), ...naming.naming, checked: true };
    case 18:
      return team(slot, drawn);
    default:
      return player(slot, drawn);
  }
}

/** The same words again at another time; times keep to the side of the start on which they were. */
function saidAgain(message: Message, slot: number, event: WorldEvent): Message {
  const before = Date.parse(String(message['at'])) < event.start;
  const slots = SLOTS.filter((one) => one < 0 === before);
  return { ...message, at: atOf(event, pick(slots, slot)) };
}

/** Messages of a complete history, in no order. Many fall on one event, so that they meet. */
export const history: fc.Arbitrary<Message[]> = fc
  .record({
    draws: fc.array(draw, { minLength: 10, maxLength: 45, size: 'max' }),
    repeats: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 15, size: 'max' }),
    only: fc.nat({ max: EVENTS.length }),
  })
  .map(({ draws, repeats, only }) => {
    const own = draws.map((one) => (only < EVENTS.length ? { ...one, event: only } : one));
    const again = repeats.map(([which, slot]) => {
      const drawn = pick(own, which);
      return saidAgain(messageOf(drawn), slot, EVENTS[drawn.event]!);
    });
    return [...introductions(), ...own.map(messageOf), ...again];
  });

/** An order in which to send messages: a sort key for each, where batches end, and which are sent again, and when. */
export interface Order {
  readonly keys: readonly number[];
  readonly cuts: readonly boolean[];
  readonly again: readonly (readonly [message: number, place: number])[];
}
export const order: fc.Arbitrary<Order> = fc.record({
  keys: fc.array(fc.nat({ max: 1_000_000 }), { minLength: 120, maxLength: 120 }),
  cuts: fc.array(
    fc.nat({ max: 3 }).map((n) => n === 0),
    { minLength: 140, maxLength: 140 },
  ),
  again: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
});

/** The messages in that order, in batches. */
export function arranged(messages: readonly Message[], { keys, cuts, again }: Order): Message[][] {
  const sorted = messages
    .map((message, index) => ({ message, key: keys[index % keys.length]!, index }))
    .sort((a, b) => a.key - b.key || a.index - b.index)
    .map(({ message }) => message);
  for (const [which, place] of sorted.length > 0 ? again : []) {
    const message = sorted[which % sorted.length]!;
    sorted.splice(place % (sorted.length + 1), 0, message);
  }
  return inBatches(withOwnWayRoundFirst(sorted), cuts);
}

/**
 * The schedule that makes an event decides which way round it stands; nothing in the contract says which of two
 * sources is right. So a source that has it turned never comes first.
 */
function withOwnWayRoundFirst(messages: readonly Message[]): Message[] {
  const result = [...messages];
  for (const event of EVENTS.filter(({ turned }) => turned)) {
    const isOf = ({ kind, ref }: Message) => kind === 'schedule' && String(ref).endsWith(event.ref);
    const first = result.findIndex(isOf);
    const own = result.findIndex(
      (message) => isOf(message) && message['source'] === 'alpha' && message['at'] === atOf(event, BEFORE_ALL),
    );
    // Without its introduction nothing is known of the event.
    if (own > first) [result[first], result[own]] = [result[own]!, result[first]!];
  }
  return result;
}

export function inBatches(messages: readonly Message[], cuts: readonly boolean[]): Message[][] {
  const batches: Message[][] = [[]];
  messages.forEach((message, index) => {
    batches.at(-1)!.push(message);
    if (cuts[index % cuts.length]) batches.push([]);
  });
  return batches.filter((batch) => batch.length > 0);
}
