import { createServer } from 'node:http';
import type { Config } from '../../platform/settings/config.ts';
import { FILES_NEEDED } from '../bin/explain.mjs';
import { findNodeProblem } from '../bin/node-version.mjs';
import { descriptorLimit } from '../composition/descriptors.ts';
import { listen, stopListening } from '../composition/listen.ts';
import { type Finding, failed, lineOf, ok, warning } from './finding.ts';

/** The warning to an operator who runs the server as root. */
export const rootText = 'the server runs as root; give it a user of its own';

/** @param version of Node, such as `20.19.0` */
export function checkNode(version: string): Finding {
  const problem = findNodeProblem(version);
  return problem === undefined
    ? ok('node', `Node.js ${version}`)
    : failed('node', problem, 'install a newer Node.js, from your system or from nodejs.org');
}

/** @param uid of this process; undefined: the system has no users */
export function checkUser(uid: number | undefined): Finding {
  if (uid !== 0) return ok('user', uid === undefined ? 'the system has no numbers of users' : `user ${uid}`);
  return warning('user', rootText, 'run this command, and the server, as the user to whom the data folder belongs');
}

/** @param limit open files that a process may have */
export function checkFiles(limit = descriptorLimit()): Finding {
  const says = `${limit} files and connections may be open at once`;
  if (limit >= FILES_NEEDED) return ok('files', says);
  const todo = `raise the limit to ${FILES_NEEDED} or more: ulimit -n ${FILES_NEEDED}, or LimitNOFILE= of systemd`;
  return warning('files', says, todo);
}

/**
 * Whether the server could listen, on the ports of its settings.
 * @param server describes the server that runs on the data folder, and so has its ports already; undefined: none runs
 */
export async function checkPorts(
  { host, port, metricsPort }: Pick<Config, 'host' | 'port' | 'metricsPort'>,
  server: string | undefined,
): Promise<Finding[]> {
  const main = await checkPort('PORT', host, port, server);
  return metricsPort === undefined ? [main] : [main, await checkPort('METRICS_PORT', host, metricsPort, server)];
}

async function checkPort(setting: string, host: string, port: number, server: string | undefined): Promise<Finding> {
  const check = setting === 'PORT' ? 'port' : 'metrics-port';
  const tried = createServer();
  try {
    await listen(tried, { host, port }, setting);
    await stopListening(tried);
    return ok(check, port === 0 ? `any free port of ${host}` : `${port} on ${host} is free`);
  } catch (error) {
    if (server !== undefined) return ok(check, `${port} on ${host} is taken, and ${server} is running`);
    const says = lineOf(error);
    const todo = says.startsWith('HOST')
      ? 'set HOST to an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them'
      : `ss -ltnp 'sport = :${port}' shows who listens there: stop it, or set ${setting} to another port`;
    return failed(check, says, todo);
  }
}
