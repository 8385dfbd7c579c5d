import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { type DomainRecord, streams } from '../../../domain/streams/domain-events.ts';
import { type ActContent, IDENTITY_STREAM_ID } from '../../../domain/streams/identity-stream.ts';
import type { ChangeMapper, ChangeMapperParts, MapRecord } from '../change-mapper.ts';

export const identityChangeMapper: ChangeMapper = {
  changeTypes: ['identity'],
  recordTypes: ['IdentityActed'],
  create: mapIdentities,
};

type ActRecord = Extract<DomainRecord, { type: 'IdentityActed' }>;

/** `identity`: an operator has mended an identity. What was dismissed was never told to clients. */
function mapIdentities({ log }: ChangeMapperParts): MapRecord {
  /** The act that is undone, perhaps by way of other undos. Its record is before that of the undo. */
  async function firstActOf(content: ActContent): Promise<Exclude<ActContent, { action: 'undo' }> | undefined> {
    let found: ActContent | undefined = content;
    while (found?.action === 'undo') {
      // The first act has the id 1 and the revision 0.
      const fromRevision = found.undoes - 1;
      const [record] = await log.readStream(streams.identity(IDENTITY_STREAM_ID), { fromRevision, limit: 1 });
      found = (record as ActRecord | undefined)?.data.content;
    }
    return found;
  }

  return async (record: LogRecord, isWanted) => {
    const { data, recordedAt, position } = record as ActRecord;
    const first = await firstActOf(data.content);
    if (!first || first.action === 'dismiss') return [];
    const { what, sport, league } = first;
    const [from, into] = endsOf(first);
    const eventId = what === 'event' ? into : null;
    const isMove = first.action === 'merge' || first.action === 'split';
    const fromEventId = isMove && what === 'event' ? first.from : undefined;
    const isAboutWanted = (id: number | null) => isWanted('identity', sport, id ?? undefined);
    if (!isAboutWanted(eventId) && (fromEventId === undefined || !isAboutWanted(fromEventId))) return [];
    const identity = { action: data.content.action, what, from, into };
    const base = { eventId, fromEventId, sport, league, observedAt: data.at, at: recordedAt, position };
    return [{ ...base, eventType: 'identity', data: identity, index: 0 }];
  };
}

function endsOf(
  act: Exclude<ActContent, { action: 'undo' | 'dismiss' }>,
): readonly [from: number | string, into: number] {
  switch (act.action) {
    case 'merge':
      return [act.from, act.into];
    case 'alias':
      return [act.name, act.id];
    case 'bind':
    case 'split':
      return [`${act.sourceRef.source}:${act.sourceRef.ref}`, act.into];
  }
}
