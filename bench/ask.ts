import { Agent, request } from 'node:http';

export interface Asked {
  /** From before the request was written to the last byte of its answer. */
  readonly ms: number;
  readonly body: Buffer;
  readonly json: any;
}

/** Asks for a path, or posts a body as JSON. Rejects where the answer is no 200. */
export type AskServer = (path: string, body?: unknown) => Promise<Asked>;

/** Requests one after another over one connection that is kept. */
export function askOver(port: number, key: string): AskServer {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return (path, posted) =>
    new Promise((resolve, reject) => {
      const sent = posted === undefined ? undefined : Buffer.from(JSON.stringify(posted));
      const headers = {
        authorization: `Bearer ${key}`,
        ...(sent ? { 'content-type': 'application/json', 'content-length': sent.length } : {}),
      };
      const began = performance.now();
      const method = sent ? 'POST' : 'GET';
      const asking = request({ host: '127.0.0.1', port, path, method, agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const ms = performance.now() - began;
          const body = Buffer.concat(chunks);
          if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode} ${body}`));
          else resolve({ ms, body, json: JSON.parse(body.toString()) });
        });
      });
      asking.on('error', reject);
      asking.end(sent);
    });
}
