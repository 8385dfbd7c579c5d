import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../support/cases.ts';
import { type MendingServer, openMendingServer } from './mending-server.ts';

/** Four games of two pairs of teams, a day apart. */
const GAMES = [1, 2, 3, 4];
const SIDES = [
  ['Cubs', 'Reds'],
  ['Mets', 'Jays'],
] as const;
const startOf = (game: number) => `2026-09-1${game}T18:00:00Z`;
const schedules = GAMES.map((game) => ({
  kind: 'schedule',
  source: 'a',
  at: '2026-09-01T00:00:00Z',
  ref: `g${game}`,
  sport: 'mlb',
  league: 'mlb',
  starts_at: startOf(game),
  participants: [
    { role: 'home', name: SIDES[game % 2]![0] },
    { role: 'away', name: SIDES[game % 2]![1] },
  ],
}));

const REFS = ['x', 'y', 'z'];
/** Each stands for a team that goes by another name. */
const NAMES = { Cubbies: 3, Metropolitans: 1 } as const;
type Name = keyof typeof NAMES;

/** What sources tell, each at a time of its own. */
const message = fc.oneof(
  fc.record({ tell: fc.constant('score' as const), ref: fc.constantFrom(...REFS), points: fc.nat(9) }),
  fc.record({
    tell: fc.constant('splits' as const),
    name: fc.constantFrom<Name>('Cubbies', 'Metropolitans'),
    pct: fc.nat(100),
  }),
);
type Told = typeof message extends fc.Arbitrary<infer T> ? T : never;

function messageOf(told: Told, index: number): object {
  const at = new Date(Date.parse('2026-09-10T00:00:00Z') + index * 60_000).toISOString();
  if (told.tell === 'score') {
    const scores = [{ role: 'home', score: String(told.points) }];
    return { kind: 'score', source: 'b', at, ref: told.ref, status: 'inprogress', scores };
  }
  const isCubs = told.name === 'Cubbies';
  const match = { sport: 'mlb', league: 'mlb', starts_at: startOf(isCubs ? 2 : 1), home: told.name };
  const home = { bets_pct: told.pct, handle_pct: 50 };
  const away = { bets_pct: 100 - told.pct, handle_pct: 50 };
  return {
    kind: 'splits',
    source: 'c',
    at,
    match: { ...match, away: isCubs ? 'Reds' : 'Jays' },
    markets: { moneyline: { home, away } },
  };
}

const head = { kind: 'identity', source: 'operator', at: '2026-09-10T00:00:00Z' };
const bind = (ref: string, into: number) => ({
  ...head,
  action: 'bind',
  what: 'event',
  source_ref: { source: 'b', ref },
  into,
});
const alias = (name: Name) => ({ ...head, action: 'alias', what: 'team', id: NAMES[name], name });
const dismiss = (ref: string) => ({ ...head, action: 'dismiss', what: 'event', source_ref: { source: 'b', ref } });
const undo = (act: number) => ({ ...head, action: 'undo', act });

/** What readers see, and what waits; not when and where it was recorded. */
async function seen(server: MendingServer): Promise<object> {
  const documents: Record<string, unknown> = {};
  for (const id of GAMES) {
    documents[`event ${id}`] = ((await server.document('events', id)) as { event?: object })?.event;
    documents[`splits ${id}`] = await server.document('splits', id);
    documents[`team ${id}`] = (await server.document('teams', id)) as { facts?: object; aliased?: object };
  }
  return { documents: JSON.parse(JSON.stringify(documents)), waiting: await server.waiting() };
}

async function served(...told: readonly object[]): Promise<{ server: MendingServer; outcomes: string[] }> {
  // Of one intake and of several in turn: both must come to the same.
  const server = await openMendingServer({ isShared: told.length % 2 === 1 });
  const outcomes: string[] = [];
  for (const one of [...schedules, ...told]) {
    server.clock.now += 1000;
    outcomes.push(...(await server.tell(one)));
  }
  return { server, outcomes };
}

const acts = fc.uniqueArray(
  fc.oneof(
    // Splits are of the other games: the server refuses splits of a game that it knows to be under way, so they depend on
    // when it knew.
    fc.record({ key: fc.constantFrom(...REFS), into: fc.constantFrom(3, 4) }),
    fc.record({ key: fc.constantFrom<Name>('Cubbies', 'Metropolitans'), into: fc.constant(0) }),
  ),
  { selector: ({ key }) => key, maxLength: 4 },
);
const actOf = ({ key, into }: { key: string; into: number }) => (into === 0 ? alias(key as Name) : bind(key, into));

it('acts and messages in any order come to what a server has that was told the acts first', async () => {
  const steps = fc.tuple(
    acts,
    fc.array(message, { maxLength: 12 }),
    fc.array(fc.nat(20), { minLength: 4, maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(steps, async ([chosen, told, places]) => {
      const messages = told.map(messageOf);
      const mixed: object[] = [...messages];
      for (const [index, act] of chosen.entries()) mixed.splice(places[index]! % (mixed.length + 1), 0, actOf(act));
      const first = await served(...chosen.map(actOf), ...messages);
      const later = await served(...mixed);
      expect(first.outcomes.slice(schedules.length, schedules.length + chosen.length)).toEqual(
        chosen.map(() => 'accepted'),
      );
      expect(await seen(later.server)).toEqual(await seen(first.server));
      await first.server.close();
      await later.server.close();
    }),
    { numRuns: cases(30) },
  );
});

it('undoing all acts, in any order, comes to what a server has that was never told of them', async () => {
  const dismissals = fc.subarray(REFS);
  const steps = fc.tuple(
    fc.array(message, { maxLength: 10 }),
    dismissals,
    fc.array(message, { maxLength: 6 }),
    fc.nat(100),
  );
  await fc.assert(
    fc.asyncProperty(steps, async ([before, refs, after, turn]) => {
      const messages = [...before, ...after].map(messageOf);
      const { server } = await served(...messages.slice(0, before.length));
      // A ref and a name under which nothing is told: what was told under them would stay.
      const told = [...refs.map(dismiss), bind('unused', 1), { ...alias('Cubbies'), name: 'Bruins' }];
      for (const act of told) {
        server.clock.now += 1000;
        await server.tell(act);
      }
      const count = (await server.acts()).length;
      const order = Array.from({ length: count }, (_, index) => ((index + turn) % count) + 1);
      expect(await server.tell(...order.map(undo))).toEqual(order.map(() => 'accepted'));
      await server.tell(...messages.slice(before.length));
      const never = await served(...messages);
      expect(await seen(server)).toEqual(await seen(never.server));
      expect(await server.size()).toBe(await never.server.size());
      await server.close();
      await never.server.close();
    }),
    { numRuns: cases(30) },
  );
});
