import { deepStrictEqual } from 'node:assert';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.ts';
import { startChild } from './child.ts';
import { fillWithEvents, shuffled } from './event-detail-folder.ts';
import { bodyOf, getRequest } from './event-requests.ts';
import { type LoadClient, openLoad } from './http-load.ts';
import { resultOf, toolCall } from './mcp-requests.ts';
import { median } from './runs.ts';
import { startServer } from './server.ts';

const CONNECTIONS = 32;
const TOOL = 'get_event';

/** Each event is asked for once before, so that both ways answer from what is kept. */
export const mcp: Benchmark = {
  name: 'mcp',
  summary: 'tools/call get_event, against the same call over REST in turn, and beside it the bare SDK with one result',
  runs: 5,
  async run({ folder, quick, say }) {
    const [events, passes] = quick ? [300, 2] : [5000, 5];
    const data = join(folder, 'data');
    await fillWithEvents(data, events);
    const server = await startServer({ folder: data });
    const { key } = server;
    const result = await resultOf(server.port, TOOL, { id: 1 }, key);
    const bare = await startChild('bare-mcp', { result });
    try {
      deepStrictEqual(result['structuredContent'], JSON.parse(String(await bodyOf(server.port, key))));
      deepStrictEqual(await resultOf(bare.port, TOOL, { id: 1 }, key), result);
      const order = shuffled(events);
      const rest = order.map((n) => getRequest(`/v1/events/${n}`, key));
      const calls = order.map((n) => toolCall(TOOL, { id: n }, key));
      const sides = { rest: [server, rest], mcp: [server, calls], bare: [bare, calls] } as const;
      const rates: Record<keyof typeof sides, number[]> = { rest: [], mcp: [], bare: [] };
      const costs: Record<keyof typeof sides, number[]> = { rest: [], mcp: [], bare: [] };
      // The first turn warms up, and makes what is kept.
      for (let turn = 0; turn <= passes; turn++) {
        for (const name of ['rest', 'mcp', 'bare'] as const) {
          const [measured, requests] = sides[name];
          const client: LoadClient = await openLoad({ port: measured.port, connections: CONNECTIONS });
          const before = await measured.cpu();
          const seconds = await client.run(requests.length, (n) => requests[n]!);
          const used = (await measured.cpu()) - before;
          client.close();
          if (turn === 0) continue;
          rates[name].push(requests.length / seconds);
          costs[name].push(used / requests.length);
        }
      }
      const rate = { rest: median(rates.rest), mcp: median(rates.mcp), bare: median(rates.bare) };
      const cost = { rest: median(costs.rest), mcp: median(costs.mcp), bare: median(costs.bare) };
      say(
        `over MCP ${(rate.mcp / rate.rest).toFixed(2)} of REST, and ${(rate.mcp / rate.bare).toFixed(2)} of the bare SDK`,
      );
      const overRest = 'the same over REST';
      const bareSdk = 'the bare SDK, one constant tool';
      return [
        {
          what: TOOL,
          value: rate.mcp,
          unit: 'calls/s',
          floor: { what: overRest, value: rate.rest },
          goal: { of: 'ratio', bound: 'at least', number: 0.5 },
        },
        {
          what: `${TOOL}, beside the SDK`,
          value: rate.mcp,
          unit: 'calls/s',
          floor: { what: bareSdk, value: rate.bare },
        },
        { what: `${TOOL}, processor time`, value: cost.mcp, unit: 'µs', floor: { what: overRest, value: cost.rest } },
        {
          what: `${TOOL}, processor time beside the SDK`,
          value: cost.mcp,
          unit: 'µs',
          floor: { what: bareSdk, value: cost.bare },
        },
      ];
    } finally {
      await Promise.all([server.stop(), bare.stop()]);
    }
  },
};
