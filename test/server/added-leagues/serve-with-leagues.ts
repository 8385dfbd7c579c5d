import { readdirSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import type { AddedLeagues } from '../../../src/domain/catalogue/added-leagues.ts';
import type { AgentServer, AgentServerOptions } from '../../api/agent/serving.ts';

const EXAMPLES = 'docs/leagues';

/** The leagues of the files that are shipped as examples, by slug. */
export const EXAMPLE_LEAGUES: AddedLeagues = Object.assign(
  {},
  ...readdirSync(EXAMPLES).map((name) => JSON.parse(readFileSync(`${EXAMPLES}/${name}`, 'utf8')).leagues),
);

/** From here on modules load anew, as in a process that begins with these leagues. */
export async function loadWithLeagues(leagues: AddedLeagues): Promise<void> {
  vi.resetModules();
  const { installLeagues } = await import('../../../src/domain/catalogue/added-leagues.ts');
  installLeagues(leagues);
}

let served = 0;

/** A server of a process that begins with these leagues. */
export async function serveWithLeagues(leagues: AddedLeagues, options: AgentServerOptions): Promise<AgentServer> {
  await loadWithLeagues(leagues);
  const { serveAgent } = await import('../../api/agent/serving.ts');
  const { countedBytes } = await import('../../support/composed.ts');
  // What is loaded anew counts anew, and a second server on a folder must not make the keys of the first.
  for (let before = 0; before < served; before++) countedBytes();
  served++;
  return serveAgent(options);
}
