import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Engine, EngineMissing } from './engine.ts';
import { startProcess } from './engine-process.ts';
import type { DoubleKind } from './event-log-double/double-kind.ts';

/** The built file of the double's process, beside this file in the build. */
const BUILT = fileURLToPath(new URL('./event-log-double-process.js', import.meta.url));

/**
 * Starts a double of EventStoreDB's protocol, since no package registry has EventStoreDB itself. See
 * `event-log-double/double-server.ts` for its limits.
 * @param program the built file of its process
 * @param environment more variables for its process
 * @param kind whose behaviour it has where versions differ
 */
export function eventLogDouble(
  program = BUILT,
  environment: Readonly<Record<string, string>> = {},
  kind: DoubleKind = '24.6',
): Engine {
  function assertBuilt(): void {
    if (!existsSync(program))
      throw new EngineMissing('event-log', "the double of EventStoreDB's protocol", 'npm run build');
  }
  return {
    name: 'event-log',
    async fetch() {
      assertBuilt();
    },
    async start({ folder, port }) {
      assertBuilt();
      return startProcess({
        name: 'event-log',
        url: `esdb://127.0.0.1:${port}?tls=false`,
        program: process.execPath,
        arguments: [program, '--folder', folder, '--port', String(port), '--kind', kind],
        folder,
        environment,
        answers: () => listens(port),
      });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
