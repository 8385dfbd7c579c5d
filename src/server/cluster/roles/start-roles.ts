import type { RequestListener } from 'node:http';
import { makeTopics } from '../../../messaging/broker/topics.ts';
import { registryMarkers } from '../registry-markers.ts';
import type { RoleParts, RunningRole } from '../role-parts.ts';
import { startApiRole } from './api-role.ts';
import { openClusterIntakeOfRole, startIngestRole } from './ingest-role.ts';
import { startIntelligenceRole } from './intelligence-role.ts';
import { startProjectorRole } from './projector-role.ts';
import { startRelayRole } from './relay-role.ts';
import { startWebhooksRole } from './webhooks-role.ts';

/**
 * Begins what this process does, those first whom others wait for.
 * @throws ConfigError, PartitionsChanged; Unavailable where an engine went away meanwhile
 */
export async function startRoles(
  parts: RoleParts,
): Promise<{ readonly listener: RequestListener | undefined; readonly played: readonly RunningRole[] }> {
  const has = new Set(parts.config.roles);
  const { broker, topics, postgres } = parts.engines;
  // Who reads a topic that is not there yet waits for longer and longer.
  await makeTopics(broker, topics, ['facts', 'changes', 'ingest'], {
    ...(postgres ? { kept: registryMarkers(postgres).partitions } : {}),
  });
  const played: RunningRole[] = [];
  if (has.has('relay')) played.push(startRelayRole(parts));
  if (has.has('projector')) played.push(startProjectorRole(parts));
  // Who answers does these in the same server.
  if (has.has('api'))
    played.push(await startApiRole(parts, has.has('ingest') ? await openClusterIntakeOfRole(parts) : undefined));
  else {
    if (has.has('ingest')) played.push(await startIngestRole(parts));
    if (has.has('webhooks')) played.push(await startWebhooksRole(parts));
    if (has.has('intelligence')) played.push(startIntelligenceRole(parts));
  }
  return { listener: played.find(({ listener }) => listener)?.listener, played };
}
