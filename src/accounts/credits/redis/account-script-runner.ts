import type { RedisConnection, RedisScript, ScriptArgument, ScriptReply } from '../../../platform/redis-connection.ts';

/** Runs scripts on the data that the Redis server has of an account. */
export interface AccountScriptRunner {
  /** @param args without the first two, which are the server's run id and the time */
  run(script: RedisScript, accountId: number, ...args: readonly ScriptArgument[]): Promise<readonly ScriptReply[]>;
  /** Sends the script without waiting for its reply. False if it was not delivered. */
  send(script: RedisScript, accountId: number, ...args: readonly ScriptArgument[]): Promise<boolean>;
  /** A key name that is not specific to an account. */
  name(of: string): string;
}

const PARTS = ['', ':holds', ':pending', ':caps', ':keycaps'];

/** @param now milliseconds, in place of the server's clock */
export function createAccountScriptRunner(
  connection: RedisConnection,
  prefix: string,
  now: (() => number) | undefined,
): AccountScriptRunner {
  const keysOf = (accountId: number): readonly string[] => {
    const account = `${prefix}{${accountId}}`;
    return [...PARTS.map((part) => account + part), `${prefix}due:{${accountId}}`];
  };
  const time = (): ScriptArgument => (now ? now() : '');
  return {
    async run(script, accountId, ...args) {
      const reply = await connection.run(script, keysOf(accountId), [connection.runId, time(), ...args]);
      return Array.isArray(reply) ? reply : [reply];
    },
    async send(script, accountId, ...args) {
      let runId: string;
      try {
        ({ runId } = connection);
      } catch {
        return false;
      }
      return connection.send(script, keysOf(accountId), [runId, time(), ...args]);
    },
    name: (of) => prefix + of,
  };
}
