import { ONE_PARTITION } from '../../../domain/event-sourcing/partition-of.ts';
import { advancePositions, type PartitionPositions } from '../../../domain/event-sourcing/position.ts';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { ReadLogName } from '../../../event-log/port/log-name.ts';
import { realTimer, type SetTimer } from '../../../platform/async/timer.ts';
import { badRequest } from '../api-errors.ts';

/** A client that sent facts gets this header, and sends it back to read answers that show these facts. */
export const POSITION_HEADER = 'Ledgerline-Position';
/** Name of the log, partition, position. */
const TOKEN_PART = '([0-9a-f]{8})\\.([A-Za-z0-9_-]{1,40}):([0-9]{1,20})';
/** Pattern of a well-formed header value. */
export const POSITION_PATTERN = `^${TOKEN_PART}(?: *, *${TOKEN_PART})*$`;

/** Encodes positions of the log for clients: `partition:position,...`, opaque to them. */
export interface PositionTokens {
  /**
   * @param positions positions of the appended records; undefined: the current end of the log
   * @returns undefined if the log is empty or unavailable
   */
  issue(positions: PartitionPositions | undefined): Promise<string | undefined>;
  /**
   * Resolves when answers show everything up to these positions.
   * @throws ApiError bad_request if the token is malformed or of another log; Unavailable after two seconds
   */
  waitUntilProjected(token: string): Promise<void>;
}

export interface PositionTokensParts {
  readonly log: Pick<EventLog, 'head'>;
  readonly logName: ReadLogName;
  /** The partition of records with this `meta.partition`; absent: the log has one partition. */
  readonly partitionOf?: (key: string) => string;
  /** Names of all partitions; absent: the log has one partition. */
  readonly partitions?: ReadonlySet<string>;
  /**
   * Resolves when the read models show everything up to these positions, by partition. The position of `ONE_PARTITION`
   * is one of the whole log.
   */
  readonly projected: (positions: PartitionPositions, options: { readonly signal: AbortSignal }) => Promise<void>;
  readonly setTimer?: SetTimer;
}

const WAIT_MS = 2000;
const RETRY_SECONDS = 1;
const WELL_FORMED = new RegExp(POSITION_PATTERN);
const TOKEN_PARTS = new RegExp(TOKEN_PART, 'g');

export function createPositionTokens(parts: PositionTokensParts): PositionTokens {
  const { log, logName, partitionOf = () => ONE_PARTITION, projected, setTimer = realTimer } = parts;
  const partitions = parts.partitions ?? new Set<string>();

  async function currentPositions(): Promise<PartitionPositions> {
    const head = await log.head();
    return head === null ? new Map() : new Map([[ONE_PARTITION, head]]);
  }

  /** Positions by partition. */
  function byPartition(positions: PartitionPositions): PartitionPositions {
    const found = new Map<string, bigint>();
    for (const [key, position] of positions) advancePositions(found, [[partitionOf(key), position]]);
    return found;
  }

  async function read(token: string): Promise<PartitionPositions> {
    const positions = new Map<string, bigint>();
    const name = await logName();
    if (!WELL_FORMED.test(token)) throw badRequest(MALFORMED);
    for (const match of token.matchAll(TOKEN_PARTS)) {
      const [, of, partition, digits] = match as unknown as [string, string, string, string];
      const isKnown = partition === ONE_PARTITION || partitions.has(partition);
      if (of !== name || !isKnown) throw badRequest(OTHER_LOG);
      advancePositions(positions, [[partition, BigInt(digits)]]);
    }
    return positions;
  }

  return {
    async issue(positions) {
      try {
        const name = await logName();
        const found =
          positions === undefined || positions.size === 0 ? await currentPositions() : byPartition(positions);
        if (name === undefined || found.size === 0) return undefined;
        return [...found].map(([partition, position]) => `${name}.${partition}:${position}`).join(',');
      } catch (error) {
        // The messages were accepted: an unavailable log must not make the request fail.
        if (error instanceof UnavailableError) return undefined;
        throw error;
      }
    },
    async waitUntilProjected(token) {
      const positions = await read(token);
      const limit = new AbortController();
      const cancel = setTimer(() => limit.abort(), WAIT_MS);
      try {
        await projected(positions, { signal: limit.signal });
      } catch (cause) {
        if (!limit.signal.aborted) throw cause;
        throw new UnavailableError('The read models do not show that position yet.', RETRY_SECONDS, { cause });
      } finally {
        cancel();
      }
    },
  };
}

const MALFORMED = `${POSITION_HEADER} must be as an answer to sent messages told it.`;
const OTHER_LOG = `${POSITION_HEADER} tells of another log.`;
