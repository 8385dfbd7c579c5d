import { connect, type Socket } from 'node:net';

export interface LoadOptions {
  readonly port: number;
  /** Kept until it is closed; each sends its next request when it has the answer to the last. */
  readonly connections: number;
  /** What every answer must be; undefined where they differ, and only status and length are looked at. */
  readonly body?: Buffer;
}

/** A client that asks as fast as the answers come. */
export interface LoadClient {
  /**
   * @param request of its number, and of the connection's
   * @returns seconds that so many requests took. @throws Error at the first answer that is no 200, or not the body
   */
  run(requests: number, request: (n: number, connection: number) => string): Promise<number>;
  close(): void;
}

interface Connection {
  /** Sends requests until there are none left. */
  run(next: () => string | undefined): Promise<void>;
  close(): void;
}

/**
 * Looks at the status and the length of each answer, and at all bytes of each connection's first. It does little
 * besides, so that the server is what is measured.
 */
export async function openLoad({ port, connections, body }: LoadOptions): Promise<LoadClient> {
  const all = await Promise.all(Array.from({ length: connections }, () => openConnection(port, body)));
  let sent = 0;
  return {
    async run(requests, request) {
      let left = requests;
      const began = performance.now();
      await Promise.all(
        all.map((connection, index) => connection.run(() => (left-- > 0 ? request(sent++, index) : undefined))),
      );
      return (performance.now() - began) / 1000;
    },
    close() {
      for (const connection of all) connection.close();
    },
  };
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Bytes of the answer that begins with this chunk. The head of so small an answer comes in one piece. */
function lengthOf(chunk: Buffer, body: Buffer | undefined): number {
  const end = chunk.indexOf(END_OF_HEAD);
  const head = chunk.toString('latin1', 0, Math.max(end, 0));
  if (end < 0 || !head.startsWith('HTTP/1.1 200')) throw new Error(`not the answer: ${chunk}`);
  const length = Number.parseInt(head.slice(head.toLowerCase().indexOf('\r\ncontent-length: ') + 18), 10);
  if (body && length !== body.length) throw new Error(`a body of ${length} bytes instead of ${body.length}`);
  return end + 4 + length;
}

function openConnection(port: number, body: Buffer | undefined): Promise<Connection> {
  let chunks: Buffer[] = [];
  let missing = 0;
  let isChecked = false;
  let answered = () => {};
  let failed: (error: Error) => void = () => {};

  function take(chunk: Buffer): void {
    if (missing === 0) {
      chunks = [];
      missing = lengthOf(chunk, body);
    }
    chunks.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return;
    if (body && !isChecked) {
      const all = Buffer.concat(chunks);
      if (!all.subarray(all.length - body.length).equals(body)) throw new Error('another body');
      isChecked = true;
    }
    answered();
  }

  return new Promise((resolve, reject) => {
    failed = reject;
    const socket: Socket = connect(port, '127.0.0.1', () =>
      resolve({
        run: (next) =>
          new Promise((done, fail) => {
            failed = fail;
            if (socket.destroyed) fail(new Error('the server has closed a connection'));
            answered = () => {
              const request = next();
              if (request === undefined) done();
              else socket.write(request, 'latin1');
            };
            answered();
          }),
        close: () => void socket.destroy(),
      }),
    );
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      try {
        take(chunk);
      } catch (error) {
        failed(error as Error);
      }
    });
    socket.on('error', (error) => failed(error));
    socket.on('close', () => failed(new Error('the server closed a connection')));
  });
}
