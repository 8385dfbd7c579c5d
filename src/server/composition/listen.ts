import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../platform/settings/config.ts';

/** The server cannot listen on this address. */
class ListenError extends Error {
  readonly code = 'listen';
}

type Address = Pick<Config, 'host' | 'port'>;

/**
 * @param setting the name of the variable that sets the port
 * @returns the port that was taken
 * @throws ListenError
 */
export function listen(server: Server, address: Address, setting = 'PORT'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new ListenError(whyNotListening(address, error, setting))),
    );
    server.listen(address.port, address.host, () => resolve((server.address() as AddressInfo).port));
  });
}

function whyNotListening({ host, port }: Address, { code, message }: NodeJS.ErrnoException, setting: string): string {
  if (code === 'EADDRINUSE')
    return `${setting}: ${port} on ${host} is taken by another program; set ${setting} to another one`;
  if (code === 'EACCES')
    return `${setting}: ${port} needs more rights than this user has; set ${setting} to one above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${host} is no address of this machine`;
  return `${host}:${port} cannot be listened on: ${message}`;
}

const CLOSE_IDLE_MS = 50;

/** Stops accepting connections. Waits for requests in flight, and not for idle keep-alive connections. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  await closed;
  clearInterval(timer);
}
