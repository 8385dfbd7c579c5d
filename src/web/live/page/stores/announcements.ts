import { signal } from '@preact/signals';
import type { BoardEvent } from '../../answers/live-page-answers.ts';
import { composeAnnouncement, isWorthAnnouncing } from '../view-model/announcement-text.ts';
import { route } from './navigation.ts';

/** The text for screen readers. Changes are collected, so that it does not change at every tick. */
export const announcementText = signal('');

const PAUSE_MS = 10_000;
const waiting = new Map<number, BoardEvent>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** While an event is open, only that event is announced. */
export function announceChange(before: BoardEvent, after: BoardEvent): void {
  const { value } = route;
  if (value.view === 'event' && value.id !== after.id) return;
  if (!isWorthAnnouncing(before, after)) return;
  waiting.delete(after.id);
  waiting.set(after.id, after);
  if (timer === undefined) timer = setTimeout(publishAnnouncement, announcementText.value === '' ? 1000 : PAUSE_MS);
}

function publishAnnouncement(): void {
  timer = undefined;
  announcementText.value = composeAnnouncement(waiting);
  waiting.clear();
}
