import type { PlayerDocument } from '../../../projections/directory/players.ts';
import type { TeamDocument } from '../../../projections/directory/teams.ts';
import type { EventDocument } from '../../../projections/sports-events/events.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { refsOf } from './thing-rows.ts';

export interface DuplicateParts {
  readonly store: Pick<DocumentReader, 'find' | 'getMany'>;
  readonly identities: Pick<Identities, 'listRefs'>;
  /** Read models that are behind the log may still have events that were merged. */
  readonly replacements: Pick<StreamReplacements, 'meaningOf'>;
  /** Only events that start from then on, in milliseconds; absent: all. */
  readonly since?: number | undefined;
}

/** A source that has a ref for each says that they are two. */
export async function haveSourceInCommon(
  parts: DuplicateParts,
  what: 'event' | 'team' | 'player',
  ...pair: readonly (EventDocument | TeamDocument | PlayerDocument)[]
): Promise<boolean> {
  const [refs = [], others = []] = await refsOf(parts, what, pair);
  const own = new Set(refs.map(({ source }) => source));
  return others.some(({ source }) => own.has(source));
}
