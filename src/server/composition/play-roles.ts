import type { RequestListener } from 'node:http';
import { makeTopics } from '../../messaging/topics.ts';
import { playApi } from './api-role.ts';
import { openTaking, playIngest } from './ingest-role.ts';
import { playIntelligence } from './intelligence-role.ts';
import { playProjector } from './projector-role.ts';
import { registryMarks } from './registry-marks.ts';
import { playRelay } from './relay-role.ts';
import type { PlayedRole, RoleParts } from './role-parts.ts';
import { playWebhooks } from './webhooks-role.ts';

/**
 * Begins what this process does, those first whom others wait for.
 * @throws ConfigError, PartitionsChanged; Unavailable where an engine went away meanwhile
 */
export async function playRoles(
  parts: RoleParts,
): Promise<{ readonly listener: RequestListener | undefined; readonly played: readonly PlayedRole[] }> {
  const has = new Set(parts.config.roles);
  const { broker, topics, postgres } = parts.engines;
  // Who reads a topic that is not there yet waits for longer and longer.
  await makeTopics(broker, topics, ['facts', 'changes', 'ingest'], {
    ...(postgres ? { kept: registryMarks(postgres).partitions } : {}),
  });
  const played: PlayedRole[] = [];
  if (has.has('relay')) played.push(playRelay(parts));
  if (has.has('projector')) played.push(playProjector(parts));
  // Who answers does these in the same server.
  if (has.has('api')) played.push(await playApi(parts, has.has('ingest') ? await openTaking(parts) : undefined));
  else {
    if (has.has('ingest')) played.push(await playIngest(parts));
    if (has.has('webhooks')) played.push(await playWebhooks(parts));
    if (has.has('intelligence')) played.push(playIntelligence(parts));
  }
  return { listener: played.find(({ listener }) => listener)?.listener, played };
}
