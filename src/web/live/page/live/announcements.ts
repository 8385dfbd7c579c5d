import { signal } from '@preact/signals';
import type { BoardEvent } from '../../live-answers.ts';
import { announcement, isNews } from '../state/announcer.ts';
import { route } from './navigation.ts';

/** What a screen reader is told: gathered, so that it is told now and then and not at every tick. */
export const announced = signal('');

const PAUSE_MS = 10_000;
const waiting = new Map<number, BoardEvent>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** While one event is open, only that one is told of. */
export function noteChange(before: BoardEvent, after: BoardEvent): void {
  const { value } = route;
  if (value.view === 'event' && value.id !== after.id) return;
  if (!isNews(before, after)) return;
  waiting.delete(after.id);
  waiting.set(after.id, after);
  if (timer === undefined) timer = setTimeout(tell, announced.value === '' ? 1000 : PAUSE_MS);
}

function tell(): void {
  timer = undefined;
  announced.value = announcement(waiting);
  waiting.clear();
}
