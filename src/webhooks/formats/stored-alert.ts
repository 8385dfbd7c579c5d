import type { Alert, AlertLine } from './alert.ts';

/** The body under which an alert waits to be sent. */
export const alertBody = (...lines: readonly AlertLine[]): string => JSON.stringify({ lines, count: lines.length });

/** Reads what `alertBody` or `mergeBodies` wrote. */
export const parseAlertBody = (body: string): Alert => JSON.parse(body) as Alert;

interface WebhookBody {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Of several changes in one message of the format `ledgerline`. */
interface ChangesBody {
  readonly type: 'changes';
  /** Of the last change. */
  readonly timestamp: string;
  readonly data: { readonly event_id: unknown; readonly count: number; readonly changes: readonly WebhookBody[] };
}

/** Lines that a person is shown, and changes that a program gets: the first ones. All are counted. */
const MAX_LINES = 10;
const MAX_CHANGES = 50;

/** One message's body with what another one says, which comes after it. Both are of the same event and format. */
export function mergeBodies(body: string, later: string): string {
  const before = JSON.parse(body) as Alert | WebhookBody | ChangesBody;
  const next = JSON.parse(later) as Alert | WebhookBody | ChangesBody;
  if ('lines' in before && 'lines' in next) {
    const lines = [...before.lines, ...next.lines].slice(0, MAX_LINES);
    return JSON.stringify({ lines, count: before.count + next.count });
  }
  const [first, last] = [asChanges(before as WebhookBody | ChangesBody), asChanges(next as WebhookBody | ChangesBody)];
  const changes = [...first.data.changes, ...last.data.changes].slice(0, MAX_CHANGES);
  const data = { ...first.data, count: first.data.count + last.data.count, changes };
  return JSON.stringify({ type: 'changes', timestamp: last.timestamp, data });
}

function asChanges(body: WebhookBody | ChangesBody): ChangesBody {
  if (body.type === 'changes') return body as ChangesBody;
  const one = body as WebhookBody;
  return {
    type: 'changes',
    timestamp: one.timestamp,
    data: { event_id: one.data['event_id'], count: 1, changes: [one] },
  };
}
