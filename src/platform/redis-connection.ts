import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { UnavailableError } from '../domain/primitives/domain-errors.ts';

/** Timeouts for a connection and for one answer, in milliseconds. */
const CONNECT_WITHIN = 2000;
const ANSWER_WITHIN = 2000;
const RECONNECT_AFTER = { first: 50, max: 1000 };
/** The settings that the server should have. With others it loses data under load, or when its process ends. */
const WANTED_SETTINGS = { 'maxmemory-policy': 'noeviction', appendonly: 'yes' } as const;

export type ScriptArgument = string | number;
/** The reply of a script, possibly nested lists. Numbers are integers; other numbers come as text. */
export type ScriptReply = string | number | null | readonly ScriptReply[];

/** A Lua script that the server runs atomically. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export const createScript = (lua: string): RedisScript => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

export interface RedisConnectionParts {
  /** `redis://` or `rediss://`, with credentials if needed. */
  readonly url: string;
  /**
   * Called for a round trip that a caller waits for. Commands sent in the same turn travel together, and count once.
   */
  readonly onRoundTrip?: (() => void) | undefined;
  /** Called once for each setting of the server that differs from the recommended one. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * The connection to the Redis server, the only place that uses the client library. Nothing waits for a server that is
 * unavailable: a command that cannot be sent fails at once, and a missing answer closes the connection. It reconnects
 * by itself.
 */
export interface RedisConnection {
  /** Identifies the server's process. Another process may have lost the last writes. @throws LimitsUnavailable */
  readonly runId: string;
  /** Runs a script. @throws LimitsUnavailable; the script may have run */
  run(script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]): Promise<ScriptReply>;
  /** Sends a script without waiting for its reply, in order with the others. False: not delivered. */
  send(script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]): Promise<boolean>;
  /** @throws LimitsUnavailable */
  ping(): Promise<void>;
  /** Resolves when the server answers. */
  ready(): Promise<void>;
  /**
   * Calls back whenever a connection to a server becomes ready, and at once if one is. @returns removes the listener
   */
  onReady(listener: () => void): () => void;
  /** Resolves when everything sent was delivered, or has failed. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function connectRedis({ url, onRoundTrip, onWarning }: RedisConnectionParts): RedisConnection {
  const client = new Redis(url, {
    connectTimeout: CONNECT_WITHIN,
    commandTimeout: ANSWER_WITHIN,
    // A hanging server does not close the connection itself.
    disconnectTimeout: 100,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(RECONNECT_AFTER.first * 2 ** Math.min(times, 10), RECONNECT_AFTER.max),
  });
  const underWay = new Set<Promise<unknown>>();
  const warned = new Set<string>();
  let runId: string | undefined;
  let lastError: Error | undefined;
  /** Marks the current turn: its round trip is counted already. */
  let turn: symbol | undefined;
  let isClosed = false;
  let connections = 0;
  let whenReady: (() => void)[] = [];
  const listeners = new Set<() => void>();

  client.on('error', (error: Error) => {
    lastError = error;
  });
  client.on('close', forget);
  client.on('ready', () => void identifyServer(connections));

  function forget(): void {
    runId = undefined;
    connections++;
  }

  /** Nothing is sent before the process that answers is known. */
  async function identifyServer(connection: number): Promise<void> {
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
      // Hosted servers may forbid this command.
      const answer = await client.config('GET', name).catch(() => undefined);
      const value = Array.isArray(answer) ? String(answer[1]) : undefined;
      if (value === undefined || value === wanted || warned.has(name)) continue;
      warned.add(name);
      onWarning(
        `limits: the server has ${name} ${value}; with anything but ${wanted} it may lose what it acknowledged`,
      );
    }
  }

  function failed(error: unknown): LimitsUnavailable {
    const { message } = error as Error;
    // The server hangs. Reconnect, so that a late answer is not taken for the answer to another command.
    if (message === 'Command timed out' && client.status === 'ready') {
      forget();
      client.disconnect(true);
    }
    return new LimitsUnavailable(message, { cause: error });
  }

  /** @returns the marker of the turn */
  function count(): symbol | undefined {
    if (!onRoundTrip || turn) return turn;
    const begun = Symbol();
    turn = begun;
    setImmediate(() => isOver(begun));
    onRoundTrip();
    return begun;
  }

  function isOver(ended: symbol | undefined): void {
    if (turn === ended) turn = undefined;
  }

  function assertReady(): void {
    if (runId === undefined) throw new LimitsNotConnected(lastError?.message);
  }

  function track<T>(work: Promise<T>): Promise<T> {
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
        return await track(evaluate(script, keys, args));
      } finally {
        // A near server may answer within the same turn. A command sent after that is another round trip.
        isOver(sentIn);
      }
    },
    send: (script, keys, args) =>
      track(
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
