import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Engine, EngineMissing } from './engine.ts';
import { startProcess } from './engine-process.ts';

/** The file of the process that stands beside this one when both are built. */
const BUILT = fileURLToPath(new URL('./event-log-double-process.js', import.meta.url));

/**
 * A double of EventStoreDB's protocol, since no package registry has EventStoreDB itself; what it is stands in
 * `event-log-double/double-server.ts`.
 * @param program the built file of its process
 * @param environment what its process is told beside
 */
export function eventLogDouble(program = BUILT, environment: Readonly<Record<string, string>> = {}): Engine {
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
        arguments: [program, '--folder', folder, '--port', String(port)],
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
