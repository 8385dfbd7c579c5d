import { connect } from 'node:net';
import { serveParent } from '../child-side.ts';

interface Begin {
  readonly port: number;
  readonly key: string;
  readonly streams: number;
  /** Of so many one is read message by message; of the others the bytes are counted. */
  readonly oneOf: number;
}

/** What came, and when: of the nth change that a reader got, its event and the price that it moved to. */
interface Reader {
  readonly names: string[];
  readonly arrivals: number[];
}

const readers: Reader[] = [];
const bytes: number[] = [];

/** Milliseconds of the machine's clock, which all its processes share. */
const now = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Opens wide streams over bare connections. */
serveParent<Begin>(
  async ({ port, key, streams, oneOf }) => {
    for (let from = 0; from < streams; from += 50) {
      const some = Array.from({ length: Math.min(50, streams - from) }, (_, n) => from + n);
      await Promise.all(some.map((n) => open(port, key, n, n % oneOf === 0)));
    }
    return { port: 0 };
  },
  {
    bytes: () => ({
      least: Math.min(...bytes),
      most: Math.max(...bytes),
      all: bytes.reduce((sum, one) => sum + one, 0),
    }),
    received: () => readers.reduce((sum, { names }) => sum + names.length, 0),
    results: () => readers.map(({ names, arrivals }) => ({ names, arrivals: Float64Array.from(arrivals) })),
  },
);

/** Resolves when the stream is ready. */
function open(port: number, key: string, place: number, isRead: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const reader: Reader = { names: [], arrivals: [] };
    if (isRead) readers.push(reader);
    let rest = '';
    let isReady = false;
    bytes[place] = 0;
    socket.on('connect', () => {
      socket.write(`GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    });
    socket.on('data', (chunk) => {
      const at = now();
      if (isReady) bytes[place]! += chunk.length;
      if (isReady && !isRead) return;
      rest += chunk.toString('latin1');
      for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
        const message = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (message.includes('event: ready')) {
          isReady = true;
          resolve();
        }
        const found = /"event_id":(\d+).*"price_to":(-?\d+)/.exec(message);
        if (!found) continue;
        reader.names.push(`${found[1]} ${found[2]}`);
        reader.arrivals.push(at);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`a stream ended: ${rest}`)));
  });
}
