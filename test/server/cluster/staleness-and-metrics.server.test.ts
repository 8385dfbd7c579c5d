import { describe, expect, it } from 'vitest';
import { projections } from '../../../projections/index.ts';
import { FEED_PARTITIONS } from '../../../src/server/cluster/cluster-view.ts';
import { teams } from '../cli/launching.ts';
import { clusterWorld, type WorldProcess, withoutEngines } from './cluster-world.ts';
import { eventually } from './toy-cluster.ts';

const SECONDS = 1000;
const READS = 60;

/** Samples of one metric: labels and value. */
async function samplesOf(process: WorldProcess, metric: string) {
  return [...(await process.metrics())].flatMap(([name, value]) => {
    const [, own, labels = ''] = /^(\w+?)(?:\{(.*)\})?$/.exec(name)!;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!] as const);
    return own === metric ? [{ labels: Object.fromEntries(pairs) as Record<string, string>, value }] : [];
  });
}

const namesOf = async (process: WorldProcess) =>
  new Set([...(await process.metrics()).keys()].map((name) => name.replace(/\{.*/, '')));

const COMMON = [
  'ledgerline_info',
  'ledgerline_engine_up',
  'ledgerline_engine_round_trips_total',
  'ledgerline_records_appended_total',
  'ledgerline_cache_bytes',
  'ledgerline_cache_limit_bytes',
];

describe.skipIf(withoutEngines !== '')(`the processes of a cluster on real engines ${withoutEngines}`, () => {
  const world = clusterWorld();

  it('tell what they measure, and how old documents are while the broker is away', async () => {
    const [relay, one, other, api, ingest, webhooks] = await Promise.all([
      world.start('relay'),
      world.start('projector'),
      world.start('projector'),
      world.start('api'),
      world.start('ingest'),
      world.start('webhooks'),
    ]);
    expect((await ingest.tell(teams(50))).report).toMatchObject({ accepted: 50 });
    await eventually(async () => {
      const { report } = await ingest.tell(teams(1), '?wait=projected');
      return report['projected'] === true;
    }, 60 * SECONDS);
    await eventually(
      async () => (await api.read('/v1/teams?sport=nfl')).headers.get('x-stale-seconds') === null,
      10 * SECONDS,
    );

    const expected: readonly (readonly [WorldProcess, readonly string[]])[] = [
      [relay, COMMON],
      [one, [...COMMON, 'ledgerline_projection_lag_seconds', 'ledgerline_partitions_assigned']],
      [ingest, [...COMMON, 'ledgerline_partitions_assigned', 'ledgerline_clock_offset_seconds']],
      [webhooks, [...COMMON, 'ledgerline_partitions_assigned', 'ledgerline_webhooks_pending']],
      [
        api,
        [
          ...[...COMMON, 'ledgerline_http_requests_total', 'ledgerline_webhooks_pending', 'ledgerline_open_streams'],
          'ledgerline_clock_offset_seconds',
        ],
      ],
    ];
    for (const [process, names] of expected) {
      const told = await namesOf(process);
      expect(names.filter((name) => !told.has(name))).toEqual([]);
    }

    // Two projectors divide the partitions: each is told by one of them, and followed to its end.
    const lags = async () => {
      const all = await Promise.all(
        [one, other].map((process) => samplesOf(process, 'ledgerline_consumer_lag_records')),
      );
      return all.map((samples) => samples.filter(({ labels }) => labels['group'] === 'projectors'));
    };
    await eventually(async () => {
      const told = (await lags()).flat();
      return told.length === 4 * FEED_PARTITIONS.size && told.every(({ value }) => value === 0);
    }, 30 * SECONDS);
    const partitions = (await lags()).map((told) => new Set(told.map(({ labels }) => labels['partition']!)));
    expect([...partitions[0]!].filter((partition) => partitions[1]!.has(partition))).toEqual([]);
    expect(new Set(partitions.flatMap((some) => [...some]))).toEqual(FEED_PARTITIONS);
    const assigned = await Promise.all(
      [one, other].map((process) => samplesOf(process, 'ledgerline_partitions_assigned')),
    );
    expect(assigned.flat().reduce((sum, { value }) => sum + value, 0)).toBe(FEED_PARTITIONS.size);

    const behind = (
      await Promise.all([one, other].map((process) => samplesOf(process, 'ledgerline_projection_lag_seconds')))
    ).flat();
    expect(new Set(behind.map(({ labels }) => labels['projection']))).toEqual(
      new Set(projections.map(({ name }) => name)),
    );
    await eventually(
      async () =>
        (await Promise.all([one, other].map((process) => samplesOf(process, 'ledgerline_projection_lag_seconds'))))
          .flat()
          .every(({ value }) => value === 0),
      10 * SECONDS,
    );

    const ofTopic = await samplesOf(ingest, 'ledgerline_consumer_lag_records');
    expect(ofTopic.map(({ labels }) => [labels['group'], labels['topic']])).toContainEqual(['ingest.v1', 'ingest.v1']);
    expect(ofTopic).toHaveLength(FEED_PARTITIONS.size);

    process.kill(world.broker.pid, 'SIGSTOP');
    try {
      await eventually(
        async () => (await samplesOf(ingest, 'ledgerline_engine_up')).some(({ value }) => value === 0),
        30 * SECONDS,
      );
      const begun = performance.now();
      const sent = await ingest.tell(teams(60), '?wait=projected');
      // A wait for what nobody projects would take ten.
      expect(performance.now() - begun).toBeLessThan(9 * SECONDS);
      expect(sent.report).toMatchObject({ accepted: 10, projected: false });

      const { value: stale } = await eventually(async () => {
        const answer = await api.read('/v1/teams?sport=nfl');
        expect(answer.status).toBe(200);
        const told = answer.headers.get('x-stale-seconds');
        return told === null ? undefined : Number(told);
      }, 30 * SECONDS);
      expect(stale).toBeGreaterThanOrEqual(5);
    } finally {
      process.kill(world.broker.pid, 'SIGCONT');
    }
    await eventually(async () => {
      const answer = await api.read('/v1/teams?sport=nfl&limit=100');
      const { data } = (await answer.json()) as { readonly data: readonly unknown[] };
      return data.length === 60 && answer.headers.get('x-stale-seconds') === null;
    }, 90 * SECONDS);
  }, 400_000);

  it('ask the engines at most four times for a paid read', async () => {
    const [, , api, ingest] = await Promise.all([
      world.start('relay'),
      world.start('projector'),
      world.start('api'),
      world.start('ingest'),
    ]);
    await ingest.tell(teams(READS));
    const key = await world.newKey(1_000_000);
    const read = (limit: number) => api.read(`/v1/teams?sport=nfl&limit=${limit}`, { authorization: `Bearer ${key}` });
    await eventually(async () => (await read(1)).headers.get('x-credits-used') === '1', 60 * SECONDS);
    const asked = async () => {
      const told = await samplesOf(api, 'ledgerline_engine_round_trips_total');
      const of = new Map(told.map(({ labels, value }) => [labels['engine'], value]));
      // The registry is asked about a key twice a second, however many calls it makes.
      return ['event-log', 'read-store', 'limits'].reduce((sum, engine) => sum + of.get(engine)!, 0);
    };
    /** In a millisecond, of what is asked beside calls. */
    async function idle(): Promise<number> {
      const [begun, before] = [performance.now(), await asked()];
      const { value } = await eventually(async () => {
        const more = (await asked()) - before;
        return more >= 50 ? more : undefined;
      }, 120 * SECONDS);
      return value / (performance.now() - begun);
    }
    const beside = await idle();
    const [begun, before] = [performance.now(), await asked()];
    for (let n = 1; n <= READS; n++) {
      const answer = await read(n);
      expect([answer.status, answer.headers.get('x-credits-used')]).toEqual([200, '1']);
    }
    const ofReads = (await asked()) - before - beside * (performance.now() - begun);
    // A part of one is the inexactness of what is asked beside.
    expect(ofReads / READS).toBeLessThan(4.5);
    expect(ofReads / READS).toBeGreaterThan(2.5);
  }, 300_000);
});
