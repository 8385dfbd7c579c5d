import type { RedisConnection, RedisScript, ScriptArgument, ScriptReply } from '../../../platform/redis-connection.ts';

/** Runs scripts on what the server has of an account. */
export interface AccountScriptRunner {
  /** @param args without the first two, which are the server's process and the time */
  run(script: RedisScript, accountId: number, ...args: readonly ScriptArgument[]): Promise<readonly ScriptReply[]>;
  /** The same where nobody waits for it. False where it did not arrive. */
  send(script: RedisScript, accountId: number, ...args: readonly ScriptArgument[]): Promise<boolean>;
  /** The name of what is there once for all accounts. */
  name(of: string): string;
}

const PARTS = ['', ':holds', ':pending', ':caps'];

/** @param now milliseconds, in place of the server's own clock */
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
