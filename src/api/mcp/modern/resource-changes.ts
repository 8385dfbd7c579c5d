import type { Subscription } from 'rxjs';
import { odds } from '../../../../projections/odds/odds.ts';
import { type EventDocument, events } from '../../../../projections/sports-events/events.ts';
import type { DocumentChangeSource } from '../../../read-models/projector/document-changes.ts';
import { renderScoreSnapshot } from '../../../read-models/rendering/render-event.ts';
import type { DocumentReader } from '../../../read-models/store/document-reader.ts';
import type { MergedThings } from '../../calls/operation/thing-ids.ts';
import { scoreFingerprint } from '../../streams/watched-event.ts';
import type { EventResource } from './resources.ts';

interface ResourceChangesParts extends DocumentChangeSource {
  readonly store: Pick<DocumentReader, 'get'>;
  /** A resource of an event that was merged into another shows that one. */
  readonly replacements: MergedThings;
  readonly onError: (error: unknown) => void;
}

/** Says when resources of events show something else than before: only after a read can show it. */
export interface ResourceChanges {
  /**
   * From now on `changed` is called after each change of the resource.
   * @returns ends the watch
   */
  watch(resource: EventResource, changed: () => void): Promise<() => void>;
  readonly size: number;
  close(): void;
}

interface Watch extends EventResource {
  readonly changed: () => void;
  /** The key of the event that the resource shows now. */
  key: string;
  /** The score that was shown last; undefined of odds, of which every change counts. */
  shown: string | undefined;
}

const PROJECTIONS = { score: events.name, odds: odds.name } as const;

/** @see ResourceChanges */
export function createResourceChanges({
  documentChanges,
  store,
  replacements,
  onError,
}: ResourceChangesParts): ResourceChanges {
  /** By the key of an event. */
  const watches = new Map<string, Set<Watch>>();
  let subscription: Subscription | undefined;
  let size = 0;
  /** The acts of operators that watches know of. */
  let actsSeen = replacements.acts;

  const keyOf = (eventId: number): string => String(replacements.meaningOf('event', eventId));

  function add(watch: Watch): void {
    const others = watches.get(watch.key);
    if (others) others.add(watch);
    else watches.set(watch.key, new Set([watch]));
  }

  function remove(watch: Watch): void {
    const all = watches.get(watch.key);
    all?.delete(watch);
    if (all?.size === 0) watches.delete(watch.key);
  }

  function tell(watch: Watch): void {
    try {
      watch.changed();
    } catch (error) {
      // One that fails must not affect the others.
      onError(error);
    }
  }

  /** After an act of an operator: an event may have been merged into another one, or be itself again. */
  function moveWatches(): void {
    for (const watch of [...watches.values()].flatMap((some) => [...some])) {
      const meant = keyOf(watch.eventId);
      if (meant === watch.key) continue;
      remove(watch);
      watch.key = meant;
      add(watch);
      tell(watch);
    }
  }

  function documentChanged(projection: string, key: string, document: unknown): void {
    for (const watch of [...(watches.get(key) ?? [])]) {
      if (PROJECTIONS[watch.kind] !== projection) continue;
      if (watch.kind === 'score') {
        const now = fingerprintOf(document as EventDocument | undefined);
        if (now === watch.shown) continue;
        watch.shown = now;
      }
      tell(watch);
    }
  }

  function follow(): Subscription {
    return documentChanges.subscribe(({ projection, changes }) => {
      if (projection !== events.name && projection !== odds.name) return;
      if (replacements.acts !== actsSeen) {
        actsSeen = replacements.acts;
        moveWatches();
      }
      for (const { key, document } of changes) documentChanged(projection, key, document);
    });
  }

  return {
    async watch(resource, changed) {
      const watch: Watch = { ...resource, changed, key: keyOf(resource.eventId), shown: undefined };
      subscription ??= follow();
      add(watch);
      size++;
      if (watch.kind === 'score') {
        // Watched before it is read: a change in between is told once too often, and never too seldom.
        const read = await store.get<EventDocument>(events.name, watch.key);
        watch.shown ??= fingerprintOf(read?.document);
      }
      let isWatched = true;
      return () => {
        if (!isWatched) return;
        isWatched = false;
        remove(watch);
        size--;
        if (size > 0) return;
        subscription?.unsubscribe();
        subscription = undefined;
      };
    },
    get size() {
      return size;
    },
    close() {
      subscription?.unsubscribe();
      subscription = undefined;
    },
  };
}

const fingerprintOf = (document: EventDocument | undefined): string =>
  document?.event.schedule ? scoreFingerprint(renderScoreSnapshot(document)) : '';
