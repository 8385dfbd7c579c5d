import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { timeOf } from '../../src/domain/observations/observation.ts';
import { type DomainRecord, streams } from '../../src/domain/streams/domain-events.ts';

/** All starts ever reported for an event, and all teams ever reported in it. */
interface TeamStartsDocument {
  /** Milliseconds, ascending. */
  readonly starts: readonly number[];
  readonly teams: Readonly<Record<string, true>>;
  /** Position of the last record that changed the document. */
  readonly changedAt: string;
}

/** The events of one team that ever had a start in one calendar month (UTC). */
export interface TeamMonth {
  readonly entry: string;
  /** Months since January of the year 0. */
  readonly month: number;
  /** By event id: all starts ever reported, in milliseconds, ascending. */
  readonly events: Record<string, readonly number[]>;
}

/** The name of a team in table keys. */
export const teamEntry = (teamId: number): string => `team:${teamId}`;

export function monthNumber(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * The events that a team may have had at any moment covered by the log. May include too many, never too few, because
 * nothing is ever removed. A reader checks the streams of the events themselves.
 */
export const teamStarts: Projection<TeamStartsDocument> = {
  name: 'team-starts',
  version: 1,
  types: ['EventScheduled'],
  key: (record) => (teamsOf(record as DomainRecord).length > 0 ? String(record.data.eventId) : undefined),
  apply(document, untyped) {
    const record = untyped as Extract<DomainRecord, { type: 'EventScheduled' }>;
    const { starts = [], teams = {} } = document ?? {};
    const start = timeOf(record.data.content.starts_at);
    const teamIds = teamsOf(record);
    if (document && starts.includes(start) && teamIds.every((team) => teams[team])) return document;
    return {
      starts: [...new Set([...starts, start])].sort((a, b) => a - b),
      teams: { ...teams, ...Object.fromEntries(teamIds.map((team) => [team, true] as const)) },
      changedAt: String(record.position),
    };
  },
  // What was known before an operator mended the event counts for questions about that time.
  restate(before, folded, { position }) {
    const known = [before, folded].filter((one) => one !== undefined);
    return {
      starts: [...new Set(known.flatMap(({ starts }) => starts))].sort((a, b) => a - b),
      teams: Object.assign({}, ...known.map(({ teams }) => teams)),
      changedAt: String(position),
    };
  },
  needsWholeLog: true,
  tables: {
    rowsOf({ starts, teams, changedAt }: TeamStartsDocument, position) {
      if (changedAt !== String(position)) return undefined;
      const months = [...new Set(starts.map(monthNumber))];
      return Object.keys(teams).flatMap((team) =>
        months.map((month) => [`${teamEntry(Number(team))}:${month}`, starts] as const),
      );
    },
    put(table: TeamMonth | undefined, tableKey, key, row): TeamMonth {
      const next = table ?? newTable(tableKey);
      next.events[key] = row as readonly number[];
      return next;
    },
  },
  fields: {
    entry: { kind: 'string', of: (document) => (document as Partial<TeamMonth>).entry ?? null },
    month: { kind: 'number', of: (document) => (document as Partial<TeamMonth>).month ?? null },
  },
  indexes: [['entry', 'month']],
  streams: (key) => [streams.event(key)],
};

function teamsOf(record: DomainRecord): number[] {
  if (record.type !== 'EventScheduled') return [];
  const { sides } = record.data.content;
  return sides.flatMap(({ key, id }) => (id !== null && key.startsWith('team:') ? [id] : []));
}

function newTable(key: string): TeamMonth {
  const separator = key.lastIndexOf(':');
  return { entry: key.slice(0, separator), month: Number(key.slice(separator + 1)), events: {} };
}
