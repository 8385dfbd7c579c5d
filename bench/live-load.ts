import { askOver } from './ask.ts';
import { type Ask, type Paced, runOpenLoop } from './open-loop.ts';
import type { Measurable, Server } from './server.ts';
import { checkTicked, scoreOf, type TickedEvents, tickOf } from './ticks.ts';

const READS_A_SECOND = 120;
/** Looks whether the event loop is held: nothing is asked of the stores for it. */
const HEALTH_A_SECOND = 100;
const LOOK_AT_MEMORY_MS = 250;
const CHECKED = 20;

/** Milliseconds of every request after the warm-up. */
export interface LiveTimes {
  readonly acknowledgements: number[];
  readonly reads: number[];
  readonly health: number[];
  /** Bytes, the most that was seen. */
  readonly memory: number;
}

export interface LiveRun {
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Ticks a second, each in a request of its own; 0 for none. */
  readonly feed: number;
  /** Changes of scores a second, each in a request of its own; none where it is absent. */
  readonly scores?: number;
  /** Begins after the warm-up. */
  readonly beside?: () => Promise<unknown>;
}

/** Readers, a feed and a look at the loop, on the events that were taken in first. */
export interface LiveLoad {
  run(run: LiveRun): Promise<LiveTimes>;
  /** @throws Error where odds are not those of the last ticks */
  check(): Promise<void>;
}

/** Six kinds of reads, each of all events in turn. */
const KINDS: readonly ((id: number) => string)[] = [
  (id) => `/v1/events/${id}`,
  (id) => `/v1/events/${id}/odds`,
  (id) => `/v1/events/${id}/odds/history?limit=50`,
  (id) => `/v1/events/${id}/score`,
  () => '/v1/events?league=nba&limit=20',
  (id) => `/v1/events/${id}?include_odds=true`,
];

export function liveLoad(server: Measurable & Pick<Server, 'key' | 'ingestKey'>, ticked: TickedEvents): LiveLoad {
  const { events } = ticked;
  let ticks = 0;
  let scores = 0;
  let reads = 0;
  const tick = (): Ask => {
    const n = ticks++;
    const body = tickOf(ticked, n % events, ticked.rounds + Math.floor(n / events), Date.now());
    return { method: 'POST', path: '/ingest/v1/messages', key: server.ingestKey, body };
  };
  const score = (): Ask => {
    const n = scores++;
    const body = scoreOf(ticked, n % events, 1 + Math.floor(n / events), Date.now());
    return { method: 'POST', path: '/ingest/v1/messages', key: server.ingestKey, body };
  };
  const read = (): Ask => {
    const n = reads++;
    const path = KINDS[n % KINDS.length]!(1 + (Math.floor(n / KINDS.length) % events));
    return { method: 'GET', path, key: server.key };
  };
  const health = (): Ask => ({ method: 'GET', path: '/healthz' });
  return {
    async run({ feed, scores = 0, ...rest }) {
      const paced: Paced[] = [
        { name: 'reads', rate: READS_A_SECOND, ask: read },
        { name: 'health', rate: HEALTH_A_SECOND, ask: health },
      ];
      const isRight = (body: string) => body.includes('"accepted":1,');
      if (feed > 0) paced.push({ name: 'ticks', rate: feed, ask: tick, isRight });
      if (scores > 0) paced.push({ name: 'scores', rate: scores, ask: score, isRight });
      const watched = watchMemory(server);
      try {
        const times = await runOpenLoop({ port: server.port, paced, ...rest });
        const { reads: readTimes, health: healthTimes, ticks: tickTimes = [] } = times;
        return { acknowledgements: tickTimes, reads: readTimes!, health: healthTimes!, memory: watched.peak() };
      } finally {
        watched.end();
      }
    },
    async check() {
      const ask = askOver(server.port, server.key);
      // Ticks are acknowledged before the read models have them.
      const settle = askOver(server.port, server.ingestKey);
      const last = tick();
      const { json } = await settle('/ingest/v1/messages?wait=projected', [JSON.parse(last.body!)]);
      if (json.projected !== true) throw new Error(`not projected: ${JSON.stringify(json)}`);
      for (let event = 0; event < Math.min(events, CHECKED); event++) {
        const { json: odds } = await ask(`/v1/events/${event + 1}/odds?bookmaker=all`);
        checkTicked(odds, event, ticked.rounds + Math.floor(ticks / events) + (event < ticks % events ? 1 : 0));
      }
    },
  };
}

function watchMemory(server: Measurable) {
  let most = 0;
  const look = async () => {
    most = Math.max(most, await server.memory());
  };
  const timer = setInterval(() => void look().catch(() => {}), LOOK_AT_MEMORY_MS);
  return { peak: () => most, end: () => clearInterval(timer) };
}
