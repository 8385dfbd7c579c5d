import type { ActContent } from '../streams/identity-stream.ts';
import type { NumberedAct } from './stream-replacements.ts';

/** All events between which acts have ever moved records, directly or through others. */
export function connectedEvents(
  acts: readonly { readonly content: ActContent }[],
  seeds: readonly number[],
): readonly number[] {
  const found = new Set(seeds);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { content } of acts) {
      if ((content.action !== 'merge' && content.action !== 'split') || content.what !== 'event') continue;
      const ends = [content.from, content.into];
      if (ends.some((id) => found.has(id))) for (const id of ends) found.add(id);
    }
  }
  return [...found].sort((a, b) => a - b);
}

type MoveOfEvents = Extract<ActContent, { readonly action: 'merge' | 'split' }>;

/** The merge or split of events that an act comes to: itself, or what an undo is about in the end. */
export function rootMove(
  acts: readonly NumberedAct[],
  { content }: Pick<NumberedAct, 'content'>,
): MoveOfEvents | undefined {
  if (content.action === 'merge' || content.action === 'split') return content.what === 'event' ? content : undefined;
  const undone = content.action === 'undo' ? acts.find(({ act }) => act === content.undoes) : undefined;
  return undone && rootMove(acts, undone);
}
