import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askOver } from './ask.ts';
import type { Benchmark } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { feedMessages } from './feed-messages.ts';
import { pacedReads } from './paced-reads.ts';
import { percentile } from './percentile.ts';
import { now, schedule, score } from './score-feed.ts';
import { type Server, startServer } from './server.ts';
import { subscribeWebhooks } from './webhook-subscriptions.ts';

const FINALS = 100;
const IN_MS = 10_000;
const OF_AN_EVENT = 900;
const OF_THE_SPORT = 100;
const DELIVERIES = OF_AN_EVENT + FINALS * OF_THE_SPORT;
const RECEIVERS_TAKE_MS = 2000;
const READS_A_SECOND = 120;
const QUIET_SECONDS = 15;
/** A p99 below it counts as it. */
const LEAST_P99 = 10;
const PATIENCE_MS = 120_000;

export const finalMinute: Benchmark = {
  name: 'final-minute',
  summary: '100 finals in 10 s to 1,000 webhooks whose receivers take 2 s each, beside readers',
  async run({ folder, say }) {
    const ids = Array.from({ length: FINALS }, (_, n) => n + 1);
    const server = await startServer({ folder: join(folder, 'data'), settings: { WEBHOOK_ALLOW: '127.0.0.0/8' } });
    await feedMessages(
      server,
      ids.flatMap((id) => [schedule(id), score(id, 0)]),
    );
    const receivers = await startChild('webhook-endpoints', { takes: RECEIVERS_TAKE_MS });
    try {
      const { key } = server;
      const paths = ids.flatMap((id) => [
        `/v1/events/${id}`,
        `/v1/events/${id}/score`,
        `/v1/events?sport=nfl&limit=25&after_id=${id}`,
        `/v1/events/${id}/odds`,
        '/v1/teams?sport=nfl&limit=25',
        '/v1/sports',
      ]);
      const reads = { port: server.port, key, paths, rate: READS_A_SECOND };
      const ofEvents = Array.from({ length: OF_AN_EVENT }, (_, n) => ({ event_id: (n % FINALS) + 1 }));
      const ofSport = Array.from({ length: OF_THE_SPORT }, () => ({ sport: 'nfl' }));
      const subscriptions = [...ofEvents, ...ofSport].map((one) => ({ ...one, event_types: ['status'] }));
      await subscribeWebhooks(server, receivers.port, subscriptions);
      say('readers alone');
      const warmUp = pacedReads(reads);
      await sleep(3000);
      await warmUp.stop();
      const without = pacedReads(reads);
      await sleep(QUIET_SECONDS * 1000);
      const floor = Math.max(LEAST_P99, percentile(await without.stop(), 0.99));
      say(`${FINALS} finals in ${IN_MS / 1000} s`);
      const cpu = await server.cpu();
      const beside = pacedReads(reads);
      const began = now();
      await tellFinals(server, began);
      const told = (now() - began) / 1000;
      await arrived(receivers, DELIVERIES, began);
      const seconds = (now() - began) / 1000;
      const p99 = percentile(await beside.stop(), 0.99);
      const most = Number(await receivers.ask('most'));
      if (Number(await receivers.ask('begun')) !== DELIVERIES) throw new Error('something was sent twice');
      return [
        {
          what: `first final to the last of ${DELIVERIES.toLocaleString('en')} deliveries`,
          value: seconds,
          unit: 's',
          floor: { what: '1,024 at once', value: (DELIVERIES / 1024) * (RECEIVERS_TAKE_MS / 1000) },
          goal: { of: 'value', bound: 'at most', number: 60 },
        },
        { what: 'of it until the last final was taken', value: told, unit: 's' },
        {
          what: 'in flight at most',
          value: most,
          unit: 'requests',
          goal: { of: 'value', bound: 'at most', number: 1024 },
        },
        {
          what: `${READS_A_SECOND} reads a second, six kinds: p99`,
          value: p99,
          unit: 'ms',
          floor: { what: `without, ${LEAST_P99} at least`, value: floor },
          goal: { of: 'ratio', bound: 'at most', number: 3 },
        },
        {
          what: 'processor time of a delivery, reads included',
          value: ((await server.cpu()) - cpu) / DELIVERIES,
          unit: 'µs',
        },
      ];
    } finally {
      await Promise.all([server.stop(), receivers.stop()]);
    }
  },
};

async function tellFinals({ port, ingestKey }: Server, began: number): Promise<void> {
  const ask = askOver(port, ingestKey);
  for (let n = 0; n < FINALS; n++) {
    await sleep(Math.max(0, began + (n * IN_MS) / FINALS - now()));
    const { json } = await ask('/ingest/v1/messages', [{ ...score(n + 1, 21), status: 'final', clock: undefined }]);
    if (json.accepted !== 1) throw new Error(JSON.stringify(json));
  }
}

async function arrived(receivers: Child, count: number, began: number): Promise<void> {
  for (;;) {
    const answered = Number(await receivers.ask('arrived'));
    if (answered >= count) return;
    if (now() - began > PATIENCE_MS) throw new Error(`${answered} of ${count} deliveries`);
    await sleep(100);
  }
}
