/**
 * Every flag that the commands set, for all ways of starting them. The benchmark `v8-flags` measures each, on and off.
 *
 * `--heap-growing-percent=50`: how far a heap may grow before all of it is collected: to half as much again as what lives
 * in it, where V8 would let it come to four times. With it an ingest of any length stays within some hundred MiB. V8 takes
 * this flag at any time, so the launcher sets it, for every command alike.
 */
export const HEAP_FLAG = '--heap-growing-percent=50';

/**
 * Flags of the server, which Node reads before any file runs: `npm start` asks `known-flags.mjs` for them.
 * `--v8-pool-size=0` makes Node start no more threads than there are cores to spare: its usual four collect garbage on all
 * cores at once, while callers wait.
 */
export const SERVER_FLAGS = ['--v8-pool-size=0'];

/**
 * Those that a Node knows: it does not start with any other, and the server is only slower without.
 * @param known names, as `process.allowedNodeEnvironmentFlags` has them
 */
export const knownFlags = (known) => SERVER_FLAGS.filter((flag) => known.has(flag.split('=')[0]));

/**
 * The flags that the launcher sets: one that its caller gave to Node stands, for V8 would take the last.
 * @param given `process.execArgv`
 */
export const launcherFlags = (given) => {
  const isGiven = given.some((flag) => flag.replaceAll('_', '-').startsWith(`${HEAP_FLAG.split('=')[0]}=`));
  return isGiven ? [] : [HEAP_FLAG];
};

/**
 * The server's flags that this process was not started with. None where Node cannot start again in its own place (before
 * 22.15, on Windows): the server is only slower without.
 * @param current the process
 */
export function missingServerFlags({ execve, platform, execArgv, env, allowedNodeEnvironmentFlags }) {
  if (execve === undefined || platform === 'win32') return [];
  const given = `${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`;
  return knownFlags(allowedNodeEnvironmentFlags).filter((flag) => !given.includes(flag.split('=')[0]));
}
