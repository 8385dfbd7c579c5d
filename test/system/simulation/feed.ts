import { streams } from '../../../src/domain/streams/domain-events.ts';
import { Injected } from './calls.ts';
import { type Disk, EPOCH } from './disk.ts';
import type { Instance } from './instance.ts';
import type { Fact, Taken } from './intake.ts';
import type { Truth } from './truth.ts';
import type { World } from './world.ts';

/** Sends facts in batches, in any order, and again until they are acknowledged; some again after that. */
export interface Feed {
  /** Everything is acknowledged. */
  readonly isDone: boolean;
  /** Every acknowledged fact is in the log, once. */
  check(): void;
}

export interface FeedSettings {
  readonly events: number;
  readonly facts: number;
  readonly telling: number;
  /** A client waits until it can read what it wrote: the share of the batches. */
  readonly readsOwn: number;
}

export function createFeed(
  world: World,
  disk: Disk,
  truth: Truth,
  liveOnes: () => readonly Instance[],
  settings: FeedSettings,
): Feed {
  const { random } = world;
  const all = factsOf(world, settings);
  const acknowledged = new Set<string>();
  const isDone = (batch: readonly Fact[]) => batch.every(({ at }) => acknowledged.has(at));

  function deliver(batch: readonly Fact[]): void {
    const live = liveOnes();
    if (live.length === 0) return;
    const instance = random.pick(live);
    const intake = random.pick(instance.intakes);
    world.note(() => `${instance.owner.name} is told ${batch.map(({ kind, at }) => `${kind} ${at}`)}`);
    // As over a wire: nobody shares objects.
    const facts = JSON.parse(JSON.stringify(batch)) as readonly Fact[];
    const answered = intake.take(facts).then(
      (taken) => {
        const done = batch.filter(({ at }) => !taken.left.some((fact) => fact.at === at));
        world.note(() => `acknowledged ${done.map(({ at }) => at)}`);
        checkTaken(taken);
        for (const fact of done) {
          checkRecorded(fact);
          acknowledged.add(fact.at);
        }
        const position = taken.results.reduce((last, one) => one.position ?? last, null as bigint | null);
        if (position !== null && !instance.isStopping && random.chance(settings.readsOwn)) {
          instance.waitFor(position).catch(world.failed);
        }
      },
      (error: unknown) => {
        world.note(() => `not acknowledged ${batch.map(({ at }) => at)}: ${error}`);
        if (!(error instanceof Injected)) throw error;
      },
    );
    answered.catch(world.failed);
  }

  /** The answer of an append tells what the log holds. */
  function checkTaken({ appends, results }: Taken): void {
    results.forEach(({ revision, position }, i) => {
      const { stream, events } = appends[i]!;
      const stored = disk.streamOf(stream).slice(revision - events.length + 1, revision + 1);
      world.check(
        BigInt(stored.at(-1)?.position ?? -1) === position &&
          stored.map(({ data }) => data).join() === events.map(({ data }) => JSON.stringify(data)).join(),
        () => `${stream}: acknowledged at revision ${revision}, position ${position}, but that is something else`,
      );
    });
  }

  function checkRecorded(fact: Fact): void {
    const { eventId } = fact.identity;
    const stream = fact.kind === 'prices' ? streams.odds(eventId) : streams.event(eventId);
    const times = truth.timesSaid(stream, fact.at);
    world.check(times === 1, () => `${stream}: ${fact.kind} of ${fact.at} is in the log ${times} times`);
  }

  function send(batch: readonly Fact[]): void {
    deliver(batch);
    // Until it is acknowledged; now and then again though it was, or while it still is under way.
    if (!isDone(batch) || random.chance(0.05)) {
      world.schedule(null, 'feed sends again', (200 + random.below(2000)) * world.haste, () => {
        if (!isDone(batch) || random.chance(0.2)) send(batch);
      });
    }
  }

  for (let next = 0; next < all.length; ) {
    const batch = all.slice(next, next + 1 + random.below(3));
    next += batch.length;
    world.schedule(null, 'feed sends', random.below(settings.telling), () => send(batch));
  }

  return {
    get isDone() {
      return isDone(all);
    },
    check() {
      for (const fact of all) checkRecorded(fact);
    },
  };
}

function factsOf({ random }: World, { events, facts }: FeedSettings): Fact[] {
  const made: Fact[] = [];
  const say = (eventId: number) => {
    const at = new Date(EPOCH + made.length * 60_000).toISOString().replace('.000Z', 'Z');
    return { identity: { eventId, sport: 'nba', league: 'nba' }, at, source: random.pick(['one', 'two']) };
  };
  const schedule = (eventId: number): Fact => ({
    kind: 'schedule',
    ...say(eventId),
    content: {
      starts_at: new Date(EPOCH + random.below(3) * 3_600_000).toISOString().replace('.000Z', 'Z'),
      sides: [side(eventId * 2), side(eventId * 2 + 1)],
    },
  });
  for (let eventId = 1; eventId <= events; eventId++) made.push(schedule(eventId));
  const score = (): Fact => {
    // Few different scores, so that some are repeated.
    const [home, away] = [random.below(3), random.below(2)];
    const status = random.chance(0.06) ? 'final' : random.chance(0.1) ? 'suspended' : 'inprogress';
    const period = random.chance(0.3) ? { period: random.pick(['of no document', 'poison', 'poison']) } : {};
    const sides = [{ score: String(home) }, { score: String(away) }] as const;
    return { kind: 'score', ...say(1 + random.below(events)), content: { status, ...period, sides } };
  };
  const prices = (): Fact => {
    const outcomes = (['home', 'away'] as const).map((outcome) => ({ outcome, price: 1.5 + random.below(3) / 2 }));
    const market = { key: 'h2h', scope: 'match', alternate: false, complete: random.chance(0.5), outcomes } as const;
    const bookmaker = random.pick(['left', 'right']);
    return { kind: 'prices', ...say(1 + random.below(events)), content: { bookmaker, markets: [market] } };
  };
  while (made.length < facts) {
    const draw = random.below(20);
    if (draw === 0) made.push(schedule(1 + random.below(events)));
    else if (draw < 4)
      made.push({ kind: 'binding', ...say(1 + random.below(events)), ref: `r${draw}`, swapped: false });
    else made.push(draw < 14 ? score() : prices());
  }
  const unique = made.map((fact) => (fact.kind === 'binding' ? { ...fact, ref: fact.at } : fact));
  // In about the order of their times; where one overtakes another, it is late.
  return unique
    .map((fact, i) => ({ fact, order: random.chance(0.2) ? random.below(unique.length) : i }))
    .sort((a, b) => a.order - b.order)
    .map(({ fact }) => fact);
}

const side = (id: number) => ({
  key: `team:${id}`,
  id,
  name: `Team ${id}`,
  abbreviation: `T${id}`,
  country_code: null,
  placeholder: false,
});
