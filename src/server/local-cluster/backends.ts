import { Agent, get } from 'node:http';

/** A process to which the load balancer sends requests. */
export interface Backend {
  /** Its role. */
  readonly role: 'api' | 'ingest';
  /** Its port on 127.0.0.1. */
  readonly port: number;
}

export interface Backends {
  /** The live processes of this role, starting with the next one in turn. */
  inTurn(role: Backend['role']): Backend[];
  /** Whether it has answered `/healthz` within a second. */
  lives(backend: Backend): boolean;
  /** Marks a process as unreachable. It gets no requests until it answers again. */
  lost(backend: Backend): void;
  /** Resolves when all processes have answered once. */
  readonly answered: Promise<void>;
  close(): void;
}

/** How often `/healthz` of each process is checked. */
const ASK_EVERY_MS = 500;
/** How long an answer counts. */
const LIVE_MS = 1000;

/** Checks which processes live. @param steadyNow milliseconds of a monotonic clock */
export function watchBackends(backends: readonly Backend[], steadyNow = () => performance.now()): Backends {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answeredAt = new Map<Backend, number>();
  const asking = new Set<Backend>();
  const turns: Record<Backend['role'], number> = { api: 0, ingest: 0 };
  const silent = new Set(backends);
  let haveAnswered = (): void => {};
  const answered = new Promise<void>((resolve) => {
    haveAnswered = resolve;
  });

  function ask(backend: Backend): void {
    if (asking.has(backend)) return;
    asking.add(backend);
    const late = AbortSignal.timeout(LIVE_MS);
    const request = get({ host: '127.0.0.1', port: backend.port, path: '/healthz', agent, signal: late }, (answer) => {
      answer.on('error', () => {}).resume();
      if (answer.statusCode !== 200) return;
      answeredAt.set(backend, steadyNow());
      silent.delete(backend);
      if (silent.size === 0) haveAnswered();
    });
    request.on('error', () => {});
    request.once('close', () => asking.delete(backend));
  }

  const askAll = (): void => backends.forEach(ask);
  const timer = setInterval(askAll, ASK_EVERY_MS);
  askAll();
  const lives = (backend: Backend): boolean =>
    steadyNow() - (answeredAt.get(backend) ?? Number.NEGATIVE_INFINITY) < LIVE_MS;

  return {
    inTurn(role) {
      const living = backends.filter((backend) => backend.role === role && lives(backend));
      const first = turns[role]++ % Math.max(1, living.length);
      return [...living.slice(first), ...living.slice(0, first)];
    },
    lives,
    lost: (backend) => void answeredAt.delete(backend),
    answered,
    close() {
      clearInterval(timer);
      agent.destroy();
    },
  };
}
