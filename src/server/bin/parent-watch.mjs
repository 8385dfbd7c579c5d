// Ends this process, as by SIGTERM, once the program is gone that ran it as a script of package.json: `npm start` after
// `kill -9` of npm. Such a script hands the id of that program over in LAUNCHED_BY. A process that something else has
// started (a shell, systemd, nohup, setsid, a container) has no LAUNCHED_BY, and outlives its parent. Plain JavaScript:
// it watches while the rest is still being built.

/** The system tells nobody that their parent is gone; asking for its id costs less than a microsecond. */
const LOOK_EVERY_MS = 1000;

/**
 * @param env loses LAUNCHED_BY: it is about this process alone, not about its children
 * @param current the process, with `ppid`, `pid` and `kill`
 * @param every `setInterval`
 */
export function watchParent(env, current, every = setInterval) {
  const launcher = Number(env.LAUNCHED_BY);
  delete env.LAUNCHED_BY;
  if (env.DETACH?.trim() === 'on' || !(launcher > 1)) return;
  // A shim of node may stand between the two, and wait for this process: then it is not the parent that is looked at.
  const isGone = current.ppid === launcher ? () => current.ppid !== launcher : () => !isThere(current, launcher);
  if (isGone()) return;
  const timer = every(() => {
    if (!isGone()) return;
    clearInterval(timer);
    current.kill(current.pid, 'SIGTERM');
  }, LOOK_EVERY_MS);
  timer.unref();
}

function isThere(current, pid) {
  try {
    return current.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
