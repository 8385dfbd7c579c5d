import { ONE_PARTITION } from '../../domain/partition-of.ts';
import { addPlaces, type Places } from '../../domain/position.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import type { LogName } from '../../event-log/log-name.ts';
import { realTimer, type SetTimer } from '../../platform/time/timer.ts';
import { badRequest } from './errors.ts';

/** The header by which a client that sends facts reads answers that show them. */
export const LEDGERLINE_POSITION = 'Ledgerline-Position';
/** A log's name, a partition, and a position in it. */
const PLACE = '([0-9a-f]{8})\\.([A-Za-z0-9_-]{1,40}):([0-9]{1,20})';
/** Of a well-formed value. */
export const POSITION_PATTERN = `^${PLACE}(?: *, *${PLACE})*$`;

/** How far the log had come, as a client is told and tells it again: `partition:position,...`, opaque to it. */
export interface LogPositions {
  /** @param places of what was appended; undefined: everything that stands in the log now
   *  @returns undefined where the log is empty, or cannot be asked */
  tell(places: Places | undefined): Promise<string | undefined>;
  /** Resolves when answers show everything up to these positions.
   *  @throws ApiError bad_request where it is malformed, or of another log; Unavailable after two seconds */
  shown(told: string): Promise<void>;
}

export interface LogPositionsParts {
  readonly log: Pick<EventLog, 'head'>;
  readonly logName: LogName;
  /** The partition of records with this `meta.partition`; absent: the log is not divided. */
  readonly partitionOf?: (key: string) => string;
  /** Names of all partitions; absent: the log is not divided. */
  readonly partitions?: ReadonlySet<string>;
  /** Resolves when the read models show everything up to these places, by partition; that of `ONE_PARTITION` is a place
   *  of the whole log. */
  readonly projected: (places: Places, options: { readonly signal: AbortSignal }) => Promise<void>;
  readonly setTimer?: SetTimer;
}

const WAIT_MS = 2000;
const RETRY_SECONDS = 1;
const WELL_FORMED = new RegExp(POSITION_PATTERN);
const PLACES = new RegExp(PLACE, 'g');

export function createLogPositions(parts: LogPositionsParts): LogPositions {
  const { log, logName, partitionOf = () => ONE_PARTITION, projected, setTimer = realTimer } = parts;
  const partitions = parts.partitions ?? new Set<string>();

  async function placesNow(): Promise<Places> {
    const head = await log.head();
    return head === null ? new Map() : new Map([[ONE_PARTITION, head]]);
  }

  /** By partition. */
  function divided(places: Places): Places {
    const found = new Map<string, bigint>();
    for (const [key, position] of places) addPlaces(found, [[partitionOf(key), position]]);
    return found;
  }

  async function read(told: string): Promise<Places> {
    const places = new Map<string, bigint>();
    const name = await logName();
    if (!WELL_FORMED.test(told)) throw badRequest(MALFORMED);
    for (const match of told.matchAll(PLACES)) {
      const [, of, partition, digits] = match as unknown as [string, string, string, string];
      const isKnown = partition === ONE_PARTITION || partitions.has(partition);
      if (of !== name || !isKnown) throw badRequest(OF_ANOTHER);
      addPlaces(places, [[partition, BigInt(digits)]]);
    }
    return places;
  }

  return {
    async tell(places) {
      try {
        const name = await logName();
        const found = places === undefined || places.size === 0 ? await placesNow() : divided(places);
        if (name === undefined || found.size === 0) return undefined;
        return [...found].map(([partition, position]) => `${name}.${partition}:${position}`).join(',');
      } catch (error) {
        // What was taken was taken: its sender must not hear that it failed.
        if (error instanceof Unavailable) return undefined;
        throw error;
      }
    },
    async shown(told) {
      const places = await read(told);
      const limit = new AbortController();
      const cancel = setTimer(() => limit.abort(), WAIT_MS);
      try {
        await projected(places, { signal: limit.signal });
      } catch (cause) {
        if (!limit.signal.aborted) throw cause;
        throw new Unavailable('The read models do not show that position yet.', RETRY_SECONDS, { cause });
      } finally {
        cancel();
      }
    },
  };
}

const MALFORMED = `${LEDGERLINE_POSITION} must be as an answer to sent messages told it.`;
const OF_ANOTHER = `${LEDGERLINE_POSITION} tells of another log.`;
