import { identityActsOf } from '../../domain/identities/stream-replacements.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readActs } from './act-rows.ts';

/** Reads the ids of events that were merged into others and are not themselves any more, ascending. */
export function createMergedIds(log: Pick<EventLog, 'readStream' | 'replacements'>): () => Promise<readonly number[]> {
  let known: { readonly acts: number; readonly ids: Promise<readonly number[]> } | undefined;
  return async () => {
    const { acts, isEmpty } = log.replacements;
    if (isEmpty) return [];
    if (known?.acts !== acts) {
      const ids = readMerged(log);
      known = { acts, ids };
      ids.catch(() => {
        known = undefined;
      });
    }
    return known.ids;
  };
}

async function readMerged(log: Pick<EventLog, 'readStream' | 'replacements'>): Promise<readonly number[]> {
  const { records } = await readActs(log);
  const merged = identityActsOf(records).flatMap((act) => (act.action === 'merge' ? [act.from] : []));
  return [...new Set(merged)].filter((id) => log.replacements.meaningOf(id) !== id).sort((a, b) => a - b);
}
