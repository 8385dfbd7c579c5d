import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import type { Identities } from '../../../src/ingest/identities/identities.ts';
import { formatIdentityKey } from '../../../src/ingest/identities/identity-key.ts';
import { TooManyConflicts } from '../../../src/ingest/intake/intake.ts';
import { FeedIntake } from '../../../src/ingest/pipeline/feed-intake.ts';
import { CLAIM_LEASE_MS } from '../../../src/ingest/pipeline/quarantine.ts';
import { createFaultyIdentities } from '../../support/faulty/faulty-identities.ts';
import { createFaultyNetwork, type FaultyNetwork } from '../../support/faulty/faulty-network.ts';
import { type IdentitiesWorld, waiting } from './identities-kit.ts';

const NOW = Date.parse('2026-09-11T00:00:00Z');

const GAMES = [
  { ref: 'g1', starts_at: '2026-09-10T18:00:00Z', home: 'Chiefs', away: 'Bills' },
  { ref: 'g2', starts_at: '2026-09-10T18:00:00Z', home: 'Bears', away: 'Lions' },
  { ref: 'g3', starts_at: '2026-09-14T18:00:00Z', home: 'Bills', away: 'Chiefs' },
];
const SOURCES = ['a', 'b'];
const about = { sport: 'nfl', league: 'nfl' };

const MESSAGES = SOURCES.flatMap((source) =>
  GAMES.flatMap(({ ref, starts_at, home, away }) => [
    {
      kind: 'schedule',
      source,
      at: '2026-09-01T00:00:00Z',
      ...about,
      ref: `${source}-${ref}`,
      starts_at,
      participants: [
        { role: 'home', name: home, ref: `${source}-${home}` },
        { role: 'away', name: away, ref: `${source}-${away}` },
      ],
    },
    { kind: 'score', source, at: '2026-09-10T19:00:00Z', ref: `${source}-${ref}`, status: 'inprogress' },
    {
      kind: 'score',
      source: `${source}-by-match`,
      at: '2026-09-10T20:00:00Z',
      ref: `m-${ref}`,
      match: { ...about, starts_at, home, away },
      status: 'inprogress',
    },
  ]),
);

const farLog = (log: EventLog, far: FaultyNetwork): EventLog => ({
  ...log,
  appendAll: (appends) => far.call('appendAll', () => log.appendAll(appends)),
  readStreams: (streams) => far.call('readStreams', () => log.readStreams(streams)),
});

/** Sends a batch until it is taken: a conflict that several attempts could not settle is the caller's to try again. */
async function send(intake: FeedIntake, batch: readonly object[]): Promise<void> {
  for (;;) {
    try {
      await intake.accept(batch.map((value, index) => ({ line: index + 1, value })));
      return;
    } catch (error) {
      if (!(error instanceof TooManyConflicts)) throw error;
    }
  }
}

const batchesOf = fc
  .shuffledSubarray([...MESSAGES, ...MESSAGES.slice(0, 6)], { minLength: MESSAGES.length + 6 })
  .chain((messages) =>
    fc
      .array(fc.record({ size: fc.integer({ min: 1, max: 6 }), process: fc.nat({ max: 1 }) }), {
        minLength: messages.length,
        maxLength: messages.length,
      })
      .map((cuts) => {
        const batches: { process: number; messages: object[] }[] = [];
        let at = 0;
        for (const { size, process } of cuts) {
          if (at >= messages.length) break;
          batches.push({ process, messages: messages.slice(at, at + size) });
          at += size;
        }
        return batches;
      }),
  );

async function check(log: EventLog, identities: Identities): Promise<void> {
  const records = (await log.readAll(null, 100_000)) as unknown as readonly DomainRecord[];
  const made = new Set(records.filter(({ type }) => type === 'EventScheduled').map(({ stream }) => stream));
  expect(made.size).toBe(GAMES.length);
  const teams = new Set(records.filter(({ stream }) => stream.startsWith('team-')).map(({ stream }) => stream));
  expect(teams.size).toBe(4);
  for (const { ref } of GAMES) {
    const refs = [
      ...SOURCES.map((source) => [source, `${source}-${ref}`]),
      ...SOURCES.map((s) => [`${s}-by-match`, `m-${ref}`]),
    ];
    const ids = new Set<number | undefined>();
    for (const [source, name] of refs) ids.add((await identities.findEvent(source!, name!))?.id);
    expect(ids.size).toBe(1);
    expect(made).toContain(`event-${[...ids][0]}`);
  }
  expect(await identities.listQuarantined(100)).toEqual([]);
}

/** Two processes, each with instances and intakes of its own, on one registry and one log. */
export function twoIntakesContract(name: string, begin: () => Promise<IdentitiesWorld>, numRuns: number): void {
  describe(`two intakes on identities ${name}`, () => {
    it('given a message that another process parks meanwhile, when what it waits for becomes known, then so does what that message makes known', async () => {
      const world = await begin();
      const [own, other] = [await world.open(), await world.open()];
      const player = {
        kind: 'player',
        source: 'a',
        at: '2026-08-01T00:00:00Z',
        ...about,
        ref: 'p1',
        full_name: 'Marquise Brown',
        team_ref: 't',
      };
      let isDue = false;
      const identities = createFaultyIdentities(own, {
        ...createFaultyNetwork(),
        async call(name, effect) {
          if (name === 'flush' && isDue) {
            isDue = false;
            await other.quarantine({
              ...waiting('m1', [formatIdentityKey({ what: 'ref', kind: 'team', scope: 'nfl', source: 'a', ref: 't' })]),
              message: player,
            });
            await other.flush();
          }
          return effect();
        },
      });
      const log = createMemoryLog({ now: () => NOW });
      const intake = new FeedIntake({ log, identities, now: () => NOW, pause: async () => {}, random: () => 0 });
      const [schedule] = MESSAGES;
      const injury = {
        kind: 'injury',
        source: 'a',
        at: '2026-09-01T00:00:00Z',
        ...about,
        team: 'Chiefs',
        player: 'Hollywood',
        player_ref: 'p1',
        status: 'out',
      };
      await send(intake, [
        {
          ...schedule,
          participants: [
            { role: 'home', name: 'Chiefs' },
            { role: 'away', name: 'Bills' },
          ],
        },
        injury,
      ]);
      expect(await own.listQuarantined(10)).toHaveLength(1);
      isDue = true;
      await send(intake, [
        {
          kind: 'team',
          source: 'a',
          at: '2026-08-01T00:00:00Z',
          ...about,
          ref: 't',
          name: 'Chiefs',
          abbreviation: 'KC',
        },
      ]);
      expect(isDue).toBe(false);
      expect(await own.listQuarantined(10)).toEqual([]);
    });

    it('given a process that died with a message in hand, when its claim has expired, then another process releases it', async () => {
      const world = await begin();
      const own = await world.open();
      const log = createMemoryLog({ now: () => NOW });
      let now = NOW;
      const parts = { log, identities: own, now: () => now, pause: async () => {}, random: () => 0 };
      const intake = new FeedIntake({ ...parts, owner: 'alive' });
      const [schedule, score] = MESSAGES;
      await send(intake, [score!]);
      const key = formatIdentityKey({ what: 'event', source: 'a', ref: 'a-g1' });
      const dead = { owner: 'dead', now, until: now + CLAIM_LEASE_MS };
      await (await world.open()).claimQuarantined(key, dead);
      await send(intake, [schedule!]);
      await intake.retryAbandoned();
      expect(await own.listQuarantined(10)).toHaveLength(1);

      now += CLAIM_LEASE_MS;
      await intake.retryAbandoned();
      expect(await own.listQuarantined(10)).toEqual([]);
      const records = (await log.readAll(null, 100)) as unknown as readonly DomainRecord[];
      expect(records.map(({ type }) => type)).toContain('ScoreChanged');
      expect(await own.listAbandonedKeys(now + CLAIM_LEASE_MS, 10)).toEqual([]);
      await world.close();
    });

    it('given two processes on one log, when sources tell of games at both, then each game has one event and nothing waits', async () => {
      await fc.assert(
        fc.asyncProperty(batchesOf, fc.nat(), async (batches, seed) => {
          const world = await begin();
          const far = createFaultyNetwork({ seed });
          const log = createMemoryLog({ now: () => NOW });
          const identities = [
            createFaultyIdentities(await world.open(), far),
            createFaultyIdentities(await world.open(), far),
          ];
          const intakes = identities.map(
            (own, process) =>
              new FeedIntake({
                log: farLog(log, far),
                identities: own,
                now: () => NOW,
                pause: async () => {},
                random: () => 0,
                owner: `process ${process}`,
              }),
          );
          await Promise.all(batches.map(({ process, messages }) => send(intakes[process]!, messages)));
          await check(log, await world.open());
          await world.close();
        }),
        { numRuns },
      );
    });
  });
}
