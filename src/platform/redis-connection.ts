import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { UnavailableError } from '../domain/primitives/domain-errors.ts';

/** For a connection to stand, and for one answer, in milliseconds. */
const CONNECT_WITHIN = 2000;
const ANSWER_WITHIN = 2000;
const RECONNECT_AFTER = { first: 50, most: 1000 };
/** What the server should be set to: otherwise what it was told vanishes under load, or with its process. */
const WANTED_SETTINGS = { 'maxmemory-policy': 'noeviction', appendonly: 'yes' } as const;

export type ScriptArgument = string | number;
/** What a script answers: lists of these. A number is whole; others come as text. */
export type ScriptReply = string | number | null | readonly ScriptReply[];

/** Runs at the server in one step. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export const createScript = (lua: string): RedisScript => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

export interface RedisConnectionParts {
  /** `redis://` or `rediss://`, with credentials where there are some. */
  readonly url: string;
  /** Somebody waits for an answer. What is sent in the same moment travels together, and counts once. */
  readonly onRoundTrip?: (() => void) | undefined;
  /** The server is set otherwise than it should be: once a setting. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * The one way to the server: the library behind it is known here alone. Nothing waits for a server that is not there:
 * what cannot be sent at once fails at once, and what is not answered in time breaks the connection. It connects again
 * by itself.
 */
export interface RedisConnection {
  /** Of the server's process: another one may have lost what it was told last. @throws LimitsAway */
  readonly runId: string;
  /** Runs a script. @throws LimitsAway: then it may have run */
  run(script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]): Promise<ScriptReply>;
  /** The same where nobody waits for it: it arrives in order with the others. False where it did not arrive. */
  send(script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]): Promise<boolean>;
  /** @throws LimitsAway */
  ping(): Promise<void>;
  /** Resolves when the server answers. */
  ready(): Promise<void>;
  /** Calls back whenever a server's process answers that did not before, and at once where one does. @returns ends it */
  onReady(listener: () => void): () => void;
  /** Resolves when everything that was sent has arrived, or failed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function connectRedis({ url, onRoundTrip, onWarning }: RedisConnectionParts): RedisConnection {
  const client = new Redis(url, {
    connectTimeout: CONNECT_WITHIN,
    commandTimeout: ANSWER_WITHIN,
    // A server that hangs does not say goodbye.
    disconnectTimeout: 100,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(RECONNECT_AFTER.first * 2 ** Math.min(times, 10), RECONNECT_AFTER.most),
  });
  const underWay = new Set<Promise<unknown>>();
  const warned = new Set<string>();
  let runId: string | undefined;
  let lastError: Error | undefined;
  /** What is sent now is counted already, with what else was sent in this moment. */
  let moment: symbol | undefined;
  let isClosed = false;
  let connections = 0;
  let whenReady: (() => void)[] = [];
  const listeners = new Set<() => void>();

  client.on('error', (error: Error) => {
    lastError = error;
  });
  client.on('close', forget);
  client.on('ready', () => void greet(connections));

  function forget(): void {
    runId = undefined;
    connections++;
  }

  /** Until it is known which process answers, nothing is asked of it. */
  async function greet(connection: number): Promise<void> {
    try {
      const info = await client.info('server');
      if (connection !== connections) return;
      runId = /^run_id:(\w+)/m.exec(info)?.[1] ?? 'unknown';
      for (const resolve of whenReady.splice(0)) resolve();
      for (const listener of listeners) listener();
      await checkSettings();
    } catch (error) {
      failed(error);
    }
  }

  async function checkSettings(): Promise<void> {
    if (!onWarning) return;
    for (const [name, wanted] of Object.entries(WANTED_SETTINGS)) {
      // Who rents a server may not ask it.
      const answer = await client.config('GET', name).catch(() => undefined);
      const value = Array.isArray(answer) ? String(answer[1]) : undefined;
      if (value === undefined || value === wanted || warned.has(name)) continue;
      warned.add(name);
      onWarning(`limits: the server has ${name} ${value}; with anything but ${wanted} it may forget what it was told`);
    }
  }

  function failed(error: unknown): LimitsUnavailable {
    const { message } = error as Error;
    // A server that hangs: what it answers later must not be taken for the answer to something else.
    if (message === 'Command timed out' && client.status === 'ready') {
      forget();
      client.disconnect(true);
    }
    return new LimitsUnavailable(message, { cause: error });
  }

  /** @returns the moment that is counted */
  function count(): symbol | undefined {
    if (!onRoundTrip || moment) return moment;
    const begun = Symbol();
    moment = begun;
    setImmediate(() => isOver(begun));
    onRoundTrip();
    return begun;
  }

  function isOver(ended: symbol | undefined): void {
    if (moment === ended) moment = undefined;
  }

  function assertReady(): void {
    if (runId === undefined) throw new LimitsNotConnected(lastError?.message);
  }

  function tracked<T>(work: Promise<T>): Promise<T> {
    const done: Promise<unknown> = work.then(
      () => underWay.delete(done),
      () => underWay.delete(done),
    );
    underWay.add(done);
    return work;
  }

  async function evaluate(
    { lua, sha }: RedisScript,
    keys: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<ScriptReply> {
    assertReady();
    const rest = [...keys, ...args];
    try {
      return (await client.evalsha(sha, keys.length, ...rest)) as ScriptReply;
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw failed(error);
    }
    try {
      return (await client.eval(lua, keys.length, ...rest)) as ScriptReply;
    } catch (error) {
      throw failed(error);
    }
  }

  return {
    get runId() {
      assertReady();
      return runId!;
    },
    async run(script, keys, args) {
      const sentIn = count();
      try {
        return await tracked(evaluate(script, keys, args));
      } finally {
        // A near server may answer before others have had the event loop: what is sent then is another round trip.
        isOver(sentIn);
      }
    },
    send: (script, keys, args) =>
      tracked(
        evaluate(script, keys, args).then(
          () => true,
          () => false,
        ),
      ),
    async ping() {
      assertReady();
      await client.ping().catch((error: unknown) => {
        throw failed(error);
      });
    },
    async ready() {
      if (runId !== undefined || isClosed) return;
      await new Promise<void>((resolve) => whenReady.push(resolve));
    },
    onReady(listener) {
      listeners.add(listener);
      if (runId !== undefined) listener();
      return () => listeners.delete(listener);
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async close() {
      await Promise.all(underWay);
      isClosed = true;
      client.disconnect();
      for (const resolve of whenReady) resolve();
      whenReady = [];
    },
  };
}

const RETRY_AFTER = 1;

/** The engine of limits and credits refuses, hangs, or answers with errors. */
export class LimitsUnavailable extends UnavailableError {
  readonly engine = 'limits';
  constructor(message: string, options?: ErrorOptions) {
    super(`limits: ${message}`, RETRY_AFTER, options);
    this.name = 'LimitsUnavailable';
  }
}

/** Nothing was sent. */
export class LimitsNotConnected extends LimitsUnavailable {
  constructor(reason: string | undefined) {
    super(reason === undefined ? 'not connected' : `not connected: ${reason}`);
    this.name = 'LimitsNotConnected';
  }
}
