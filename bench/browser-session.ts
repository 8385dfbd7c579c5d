import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Seen {
  readonly status: number;
  /** From before the request was written to the last byte of its answer. */
  readonly ms: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a browser does with pages: it keeps cookies, one connection, and sends forms. */
export interface BrowserSession {
  get(path: string): Promise<Seen>;
  /** Fills in the form of the page at this path, and posts it there. */
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Seen>;
  /** Goes on from another address of this machine: 127.0.0.N. One address may ask only so often in a minute. */
  moveTo(n: number): void;
}

export function openBrowserSession(port: number): BrowserSession {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let localAddress = '127.0.0.1';
  const cookies = new Map<string, string>();

  function ask(path: string, form?: string): Promise<Seen> {
    const headers = {
      accept: 'text/html',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return new Promise((resolve, reject) => {
      const began = performance.now();
      const method = form === undefined ? 'GET' : 'POST';
      const asking = request({ host: '127.0.0.1', port, path, method, agent, headers, localAddress }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const ms = performance.now() - began;
          for (const cookie of answer.headers['set-cookie'] ?? []) {
            const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
            cookies.set(name!, value!);
          }
          resolve({ ms, status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks).toString() });
        });
      });
      asking.on('error', reject);
      asking.end(form);
    });
  }

  return {
    get: (path) => ask(path),
    moveTo(n) {
      agent.destroy();
      agent = new Agent({ keepAlive: true, maxSockets: 1 });
      localAddress = `127.0.0.${n}`;
    },
    async post(path, fields) {
      const { body } = await ask(path);
      const token = /name="_csrf" value="([^"]*)"/.exec(body)?.[1];
      if (token === undefined) throw new Error(`${path} has no form: ${body.slice(0, 500)}`);
      return ask(path, new URLSearchParams({ ...fields, _csrf: token }).toString());
    },
  };
}
