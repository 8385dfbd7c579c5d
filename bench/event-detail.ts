import { type Benchmark, type Figure, ratioOf } from './benchmark.ts';
import { type Child, startChild } from './child.ts';
import { bodyOf, getRequest, MESSAGES } from './event-requests.ts';
import { openLoad } from './http-load.ts';
import { percentile } from './percentile.ts';

/** Short rounds in turn, many of them: what else the machine does at times falls on all alike. */
const ROUNDS = 30;
const REQUESTS = 2000;
const CONNECTIONS = 32;
/** Rounds of each before anything counts: the code is compiled by then. */
const WARM_UP = 3;

/** One server with one kind of request, measured round by round. */
interface Contender {
  readonly name: string;
  readonly child: Child;
  readonly request: (n: number) => string;
  /** Answers a second, and microseconds of the server's processor time for one, of each round. */
  readonly rates: number[];
  readonly costs: number[];
}

export const eventDetail: Benchmark = {
  name: 'event-detail',
  summary: 'GET /v1/events/{id} with authentication, against bare Express that sends the same bytes',
  async run({ folder, say }) {
    const ours = await startChild('event-server', { folder, messages: MESSAGES });
    const children = [ours];
    try {
      const key = String(ours.told['key']);
      const body = await bodyOf(ours.port, key);
      const floors = {
        end: await startChild('bare-express', { body, way: 'end' }),
        send: undefined as Child | undefined,
      };
      children.push(floors.end);
      floors.send = await startChild('bare-express', { body, way: 'send' });
      children.push(floors.send);

      const path = getRequest('/v1/events/1', key);
      const contender = (name: string, child: Child, request: Contender['request']): Contender => {
        return { name, child, request, rates: [], costs: [] };
      };
      const cached = contender('cached', ours, () => path);
      // Another bookmaker is another question, although its answer is the same without odds.
      const uncached = contender('uncached', ours, (n) => getRequest(`/v1/events/1?bookmaker=b${n}`, key));
      const bareEnd = contender('bare Express, end(buffer)', floors.end, () => path);
      const bareSend = contender('bare Express, send(buffer)', floors.send, () => path);
      const contenders = [bareEnd, cached, bareSend, uncached];

      for (let round = -WARM_UP; round < ROUNDS; round++) {
        for (const { child, request, rates, costs } of contenders) {
          // Opened anew: a server closes connections that stay idle while it is the others' turn.
          const client = await openLoad({ port: child.port, connections: CONNECTIONS, body });
          const before = await child.cpu();
          const seconds = await client.run(REQUESTS, request);
          const cost = ((await child.cpu()) - before) / REQUESTS;
          client.close();
          if (round < 0) continue;
          rates.push(REQUESTS / seconds);
          costs.push(cost);
        }
        if (round > 0 && round % 10 === 0) say(`${round} of ${ROUNDS} rounds`);
      }
      const bare = median(bareEnd.rates) >= median(bareSend.rates) ? bareEnd : bareSend;
      const floor = { what: bare.name, value: median(bare.rates) };
      const cpuFloor = { what: bare.name, value: median(bare.costs) };
      const figures: readonly Figure[] = [
        {
          what: `event detail, ${body.length} bytes, from the cache`,
          value: median(cached.rates),
          unit: 'answers/s',
          floor,
          goal: { of: 'ratio', bound: 'at least', number: 0.8 },
        },
        { what: 'event detail, made anew each time', value: median(uncached.rates), unit: 'answers/s', floor },
        {
          what: 'processor time of an answer from the cache',
          value: median(cached.costs),
          unit: 'µs',
          floor: cpuFloor,
        },
        { what: 'processor time of one made anew', value: median(uncached.costs), unit: 'µs', floor: cpuFloor },
      ];
      say(`ratio of ${ratioOf(figures[0]!)!.toFixed(3)}`);
      return figures;
    } finally {
      await Promise.all(children.map((child) => child.stop()));
    }
  },
};

const median = (values: readonly number[]): number => percentile([...values], 0.5);
