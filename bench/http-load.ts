import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** Connections that are kept; each sends its next request when it has the answer to the last. */
  readonly connections: number;
  readonly seconds: number;
  /** The bytes of request number n. */
  readonly request: (n: number) => string;
  /** What every answer must be. */
  readonly body: Buffer;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Asks as fast as the answers come, and looks at the status and the length of each, and at all bytes of each
 * connection's first. It does little besides, so that the server is what is measured.
 * @throws Error at the first answer that is not a 200 with the body
 */
export async function load({ port, connections, seconds, request, body }: Load): Promise<LoadResult> {
  let sent = 0;
  let requests = 0;
  const began = performance.now();
  const until = began + seconds * 1000;

  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket: Socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let chunks: Buffer[] = [];
      let missing = 0;
      let isFirst = true;
      const ask = () => void socket.write(request(sent++), 'latin1');
      const fail = (error: Error) => {
        socket.destroy();
        reject(error);
      };
      /** Bytes of the answer that begins with this chunk. */
      const lengthOf = (chunk: Buffer): number => {
        const end = chunk.indexOf(END_OF_HEAD);
        const head = chunk.toString('latin1', 0, Math.max(end, 0));
        // The head of so small an answer comes in one piece.
        if (end < 0 || !head.startsWith('HTTP/1.1 200')) throw new Error(`not an answer: ${chunk}`);
        const length = Number.parseInt(head.slice(head.toLowerCase().indexOf('\r\ncontent-length: ') + 18), 10);
        if (length !== body.length) throw new Error(`a body of ${length} bytes instead of ${body.length}`);
        return end + 4 + length;
      };
      const take = (chunk: Buffer): void => {
        if (missing === 0) {
          chunks = [];
          missing = lengthOf(chunk);
        }
        chunks.push(chunk);
        missing -= chunk.length;
        if (missing > 0) return;
        if (isFirst) {
          const all = Buffer.concat(chunks);
          if (!all.subarray(all.length - body.length).equals(body)) throw new Error('another body');
          isFirst = false;
        }
        requests++;
        if (performance.now() < until) ask();
        else finish();
      };
      const finish = () => {
        socket.end();
        resolve();
      };
      socket.on('connect', ask);
      socket.on('data', (chunk: Buffer) => {
        try {
          take(chunk);
        } catch (error) {
          fail(error as Error);
        }
      });
      socket.on('error', fail);
      socket.on('close', () => reject(new Error('the server closed a connection')));
    });

  await Promise.all(Array.from({ length: connections }, one));
  return { requests, seconds: (performance.now() - began) / 1000 };
}
