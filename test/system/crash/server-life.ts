import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const WARM_SERVER = fileURLToPath(new URL('./warm-server.mjs', import.meta.url));

export interface LifeEnd {
  /** Null: killed. */
  readonly code: number | null;
  readonly stderr: string;
}

/** A server from its start to its end. */
export interface Life {
  readonly url: string;
  /** Whether it got ready; resolves when it has, or has ended. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<LifeEnd>;
  readonly hasEnded: () => boolean;
  /** Standard error so far. */
  stderr(): string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
}

/** A process that is ready to become a server. */
export interface WarmServer {
  start(folder: string, env: Readonly<Record<string, string>>): Promise<Life>;
  drop(): Promise<void>;
}

/** @param env of its disk */
export function warmServer(env: Readonly<Record<string, string>> = {}): WarmServer {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR)$/.test(name)));
  const child = spawn(process.execPath, [WARM_SERVER], { env: { ...clean, ...env } });
  let stdout = '';
  let stderr = '';
  let over = false;
  const lookers = new Set<() => void>();
  child.stdout.on('data', (text) => {
    stdout += text;
    for (const look of [...lookers]) look();
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([code]): LifeEnd => {
    over = true;
    for (const look of [...lookers]) look();
    return { code: code as number | null, stderr };
  });
  const says = (text: string) =>
    new Promise<boolean>((resolve) => {
      function look(): void {
        if (!over && !stdout.includes(text)) return;
        lookers.delete(look);
        resolve(stdout.includes(text));
      }
      lookers.add(look);
      look();
    });
  return {
    async start(folder, settings) {
      if (!(await says('loaded'))) throw new Error(`not loaded: ${stderr}`);
      const port = await nextPort();
      child.stdin.write(`${JSON.stringify({ folder, env: { ...settings, PORT: String(port) } })}\n`);
      return {
        url: `http://127.0.0.1:${port}`,
        ready: says('\nready'),
        ended,
        hasEnded: () => over,
        stderr: () => stderr,
        kill: (signal) => void child.kill(signal),
      };
    },
    async drop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const FIRST_PORT = 22_000 + (process.pid % 400) * 20;
let ports = 0;

/** Below the range that the operating system gives to connections, and another one each time. */
async function nextPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (ports++ % 1000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
