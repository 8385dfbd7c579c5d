import { type Child, startChild } from './child.ts';
import { checkDetail, shuffled } from './event-detail-folder.ts';
import { bodyOf, getRequest } from './event-requests.ts';
import { openLoad } from './http-load.ts';
import { median } from './runs.ts';
import { type Measurable, type Server, startServer } from './server.ts';

const CONNECTIONS = 32;

export interface DetailSizes {
  readonly events: number;
  /** Events that only warm the server up, beyond those. */
  readonly warm: number;
  /** Requests of them, each of which is answered anew. */
  readonly warmRequests: number;
  /** How often all events are asked for again. */
  readonly passes: number;
}

export const sizesOf = (quick: boolean): DetailSizes =>
  quick
    ? { events: 300, warm: 50, warmRequests: 300, passes: 2 }
    : { events: 10_000, warm: 1000, warmRequests: 10_000, passes: 7 };

export interface DetailRates {
  readonly bytes: number;
  /** Answers a second: each event asked for once since the server's start, and all of them asked for again. */
  readonly cold: number;
  readonly kept: number;
  readonly floor: number;
  /** Microseconds of processor time for an answer that is asked for again. */
  readonly cost: number;
  readonly floorCost: number;
}

/**
 * Starts the server on a folder with these events, asks for each once, then again and again, in turn with `node:http`
 * that sends as many bytes. @param query such as `?include_odds=true`, or empty. @param flags in place of `npm start`'s
 */
export async function measureDetail(
  folder: string,
  sizes: DetailSizes,
  query: string,
  flags?: readonly string[],
): Promise<DetailRates> {
  const { events, warm, warmRequests, passes } = sizes;
  const server = await startServer({ folder, ...(flags && { flags }) });
  let floor: Child | undefined;
  try {
    const body = await bodyOf(server.port, server.key, `/v1/events/${events + 1}${query}`);
    floor = await startChild('bare-http', { bodies: { '/': body } });
    const warming = Array.from({ length: warmRequests }, (_, n) =>
      getRequest(pathOf(events + 1 + (n % warm), `${query || '?'}&bookmaker=b${n}`), server.key),
    );
    const all = shuffled(events);
    const asking = all.map((n) => getRequest(pathOf(n, query), server.key));
    await pass(server, warming);
    await pass(floor, warming);

    const cold = await pass(server, asking);
    const rates: number[] = [];
    const floors: number[] = [await pass(floor, asking)];
    const before = [await server.cpu(), await floor.cpu()] as const;
    for (let n = 0; n < passes; n++) {
      rates.push(await pass(server, asking));
      floors.push(await pass(floor, asking));
    }
    const asked = passes * events;
    const cost = ((await server.cpu()) - before[0]) / asked;
    const floorCost = ((await floor.cpu()) - before[1]) / asked;
    await check(server, all, query);
    return { bytes: body.length, cold, kept: median(rates), floor: median(floors), cost, floorCost };
  } finally {
    await Promise.all([server.stop(), floor?.stop()]);
  }
}

const pathOf = (n: number, query: string): string => `/v1/events/${n}${query}`;

/** Each of these requests once, over some connections. Opened anew: a server closes those that stay idle for long. */
async function pass({ port }: Measurable, requests: readonly string[]): Promise<number> {
  const client = await openLoad({ port, connections: CONNECTIONS });
  const seconds = await client.run(requests.length, (n) => requests[n]!);
  client.close();
  return requests.length / seconds;
}

async function check({ port, key }: Server, numbers: readonly number[], query: string): Promise<void> {
  for (const n of numbers.slice(0, 100)) await checkDetail(port, key, pathOf(n, query), n);
}
