import { connect } from 'node:net';
import { serveParent } from '../child-side.ts';

interface Begin {
  readonly port: number;
  readonly key: string;
  readonly eventIds: readonly number[];
  readonly readersOfEach: number;
}

/** One open stream: which scores it brought, and when. */
interface Reader {
  readonly eventId: number;
  readonly scores: number[];
  readonly arrivals: number[];
}

const readers: Reader[] = [];

/** Milliseconds of the machine's clock, which all its processes share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Opens streams over bare connections, and notes the first side's score of every message with its time of arrival. */
serveParent<Begin>(
  async ({ port, key, eventIds, readersOfEach }) => {
    for (let n = 0; n < readersOfEach; n++) {
      await Promise.all(eventIds.map((eventId) => open(port, key, eventId)));
    }
    return { port: 0 };
  },
  {
    received: () => readers.reduce((sum, { scores }) => sum + scores.length, 0),
    results: () =>
      readers.map(({ eventId, scores, arrivals }) => ({
        eventId,
        scores: Float64Array.from(scores),
        arrivals: Float64Array.from(arrivals),
      })),
  },
);

/** Resolves with the stream's first message. */
function open(port: number, key: string, eventId: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const reader: Reader = { eventId, scores: [], arrivals: [] };
    readers.push(reader);
    let rest = '';
    socket.on('connect', () => {
      const path = `/v1/events/${eventId}/stream`;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      const at = now();
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const score = /"score":"(\d+)"/.exec(rest.slice(0, end))?.[1];
        rest = rest.slice(end + 2);
        if (score === undefined) continue;
        reader.scores.push(Number(score));
        reader.arrivals.push(at);
        resolve();
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`a stream of event ${eventId} ended: ${rest}`)));
  });
}
