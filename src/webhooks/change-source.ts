import { events } from '../../projections/sports-events/events.ts';
import { createSubjectReader, type ReadSubject } from '../read-models/change-feed/change-subject.ts';
import { createFoldedStreams } from '../read-models/change-feed/folded-streams.ts';
import {
  createRecordMapper,
  type MapRecords,
  type RecordMapperParts,
  SUBSCRIPTION_MAPPERS,
} from '../read-models/change-feed/record-mapper.ts';
import { createStreamFoldCache } from '../read-models/change-feed/stream-fold-cache.ts';
import type { Bookmakers } from '../read-models/rendering/bookmakers.ts';

interface ChangeSourceParts extends Omit<RecordMapperParts, 'mappers' | 'weightOf'> {
  readonly bookmakers: Pick<Bookmakers, 'nameOf' | 'sharpWeight'>;
}

/**
 * What messages are made from. All of it depends on the log up to a record alone, so that the same records give the
 * same messages again. For one caller at a time.
 */
export interface ChangeSource {
  readonly mapRecords: MapRecords;
  readonly subjectOf: ReadSubject;
  /** The displayed name of a bookmaker. */
  readonly nameOf: (bookmaker: string) => string;
}

export function createChangeSource({ bookmakers, ...parts }: ChangeSourceParts): ChangeSource {
  const { log, places = createStreamFoldCache(), breathe = async () => {} } = parts;
  const mappers = SUBSCRIPTION_MAPPERS;
  return {
    mapRecords: createRecordMapper({ ...parts, places, mappers, weightOf: bookmakers.sharpWeight }),
    subjectOf: createSubjectReader(createFoldedStreams(events, log, places, breathe), log.replacements),
    nameOf: bookmakers.nameOf,
  };
}
