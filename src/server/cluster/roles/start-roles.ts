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
 * Starts the roles of this process. Roles for which others wait start first.
 * @throws ConfigError, PartitionsChanged; UnavailableError if an engine became unavailable meanwhile
 */
export async function startRoles(
  parts: RoleParts,
): Promise<{ readonly listener: RequestListener | undefined; readonly played: readonly RunningRole[] }> {
  const has = new Set(parts.config.roles);
  const { broker, topics, postgres } = parts.engines;
  // Create the topics first: a reader of a missing topic backs off for longer and longer.
  await makeTopics(broker, topics, ['facts', 'changes', 'ingest'], {
    ...(postgres ? { kept: registryMarkers(postgres).partitions } : {}),
  });
  const played: RunningRole[] = [];
  if (has.has('relay')) played.push(startRelayRole(parts));
  if (has.has('projector')) played.push(startProjectorRole(parts));
  // The api role runs these in its own server.
  if (has.has('api'))
    played.push(await startApiRole(parts, has.has('ingest') ? await openClusterIntakeOfRole(parts) : undefined));
  else {
    if (has.has('ingest')) played.push(await startIngestRole(parts));
    if (has.has('webhooks')) played.push(await startWebhooksRole(parts));
    if (has.has('intelligence')) played.push(await startIntelligenceRole(parts));
  }
  return { listener: played.find(({ listener }) => listener)?.listener, played };
}
