import type { AlertPreview } from '../api/calls/services/webhook-services.ts';
import type { AlertFilter } from '../domain/alerts/alert-filter.ts';
import type { LogRecord } from '../domain/event-sourcing/record.ts';
import type { EventLog } from '../event-log/port/event-log.ts';
import type { ClientChange, NamedBooks } from '../read-models/change-feed/change-mapper.ts';
import { isHistory } from '../read-models/change-feed/record-mapper.ts';
import type { ChangeSource } from './change-source.ts';
import { changeByJudge } from './filters/change-by-judge.ts';
import { changeUnderList } from './filters/change-under-list.ts';
import { passesFilter } from './filters/passes-filter.ts';
import { textOf } from './formats/alert.ts';
import { describeChange } from './formats/describe-change.ts';
import { listOf } from './subscription-matcher.ts';

interface PreviewParts {
  readonly log: Pick<EventLog, 'readBackwards'>;
  /** Its own one: previews are asked for at any time. It maps imported history too, which may be all that there is. */
  readonly source: ChangeSource;
  readonly recordTypes: ReadonlySet<string>;
  readonly baseUrl: () => string;
  readonly isSimulated: () => boolean;
  readonly breathe: () => Promise<void>;
}

/**
 * What an alert would have said of the last real change that it lets pass.
 * @param isGranted whether its owner may be told of a sport
 * @param own the list of books of its account
 */
export type PreviewAlert = (
  filter: AlertFilter,
  isGranted: (sport: string) => boolean,
  own?: readonly string[] | null,
) => Promise<AlertPreview>;

/** Records that are looked through, newest first, in pages of this many. */
const PAGE = 100;
const MAX_PAGES = 10;

export function createAlertPreview({
  log,
  source,
  recordTypes,
  baseUrl,
  isSimulated,
  breathe,
}: PreviewParts): PreviewAlert {
  const { mapRecords, subjectOf, nameOf } = source;
  let last: Promise<unknown> = Promise.resolve();

  async function changesOf(
    record: LogRecord,
    { types, sports, by }: AlertFilter,
    list: NamedBooks | undefined,
  ): Promise<readonly ClientChange[]> {
    const isWanted = (type: string, sport: string) =>
      (types ?? []).some((one) => one === type) && (sports?.includes(sport) ?? true);
    const changes = await mapRecords([record], isWanted, () => (list ? [list] : []));
    return changes.flatMap((change) => {
      const listed = changeUnderList(change, list);
      return (listed && changeByJudge(listed, by)) ?? [];
    });
  }

  async function find(
    filter: AlertFilter,
    isGranted: (sport: string) => boolean,
    list: NamedBooks | undefined,
  ): Promise<AlertPreview> {
    let before: LogRecord['position'] | undefined;
    let searched = 0;
    for (let page = 0; page < MAX_PAGES; page++) {
      const records = await log.readBackwards(PAGE, before);
      for (const record of records) {
        await breathe();
        if (!recordTypes.has(record.type)) continue;
        for (const change of await changesOf(record, filter, list)) {
          const subject = await subjectOf(change, record.position);
          if (!isGranted(change.sport) || !passesFilter(filter, change, subject)) continue;
          const { title, lines } = textOf(
            { lines: [describeChange(change, subject, { nameOf, isSimulated: isSimulated() })], count: 1 },
            baseUrl(),
          );
          const { observedAt: at } = change;
          return { lines: [title, ...lines], at, isHistory: isHistory(record.recordedAt, at) };
        }
      }
      searched += records.length;
      if (records.length < PAGE) break;
      before = records.at(-1)!.position;
    }
    return { lines: null, searched };
  }

  return (filter, isGranted, own) => {
    // One after the other: the folds behind changes have one reader at a time.
    const found = last.then(() => find(filter, isGranted, listOf(filter, own)));
    last = found.catch(() => {});
    return found;
  };
}
