import { computed, effect, type Signal, signal } from '@preact/signals';
import type { EventLines, EventSnapshot, EventStatistics, Story } from '../../answers/live-page-answers.ts';
import type { EventIntelligence, EventProbabilities } from '../../answers/live-page-intelligence.ts';
import {
  fetchEventSnapshot,
  fetchIntelligence,
  fetchLines,
  fetchProbabilities,
  fetchStatistics,
  fetchStory,
  ServerError,
} from '../net/server-api.ts';
import { ThrottledTask } from '../net/throttled-task.ts';
import { dayOf } from '../view-model/board-state.ts';
import { hasEnded, phaseOf } from '../view-model/event-phase.ts';
import { toStoryModel } from '../view-model/story-model.ts';
import { boardState, openDay } from './board-store.ts';

/** The open event. */
export const eventSnapshot = signal<EventSnapshot | null>(null);
const story = signal<Story | null>(null);
/** Lines of periods, sides and players at the selected moment. */
export const eventLines = signal<EventLines | null>(null);
/** Statistics of both sides before the event. */
export const eventStatistics = signal<EventStatistics | null>(null);
/** Intelligence of its bets at the selected moment. */
export const eventIntelligence = signal<EventIntelligence | null>(null);
/** The win probability of the first side until the start. */
export const eventProbabilities = signal<EventProbabilities | null>(null);
/** Why the event cannot be shown. */
export const eventError = signal<string | null>(null);
/** The selected moment in milliseconds; null for now. */
export const selectedMoment = signal<number | null>(null);
/** The selected moment is still loading. */
export const isLoadingMoment = signal(false);
/** Nothing was known of the event at the selected moment. */
export const isUnknownAtMoment = signal(false);

const openId = signal<number | null>(null);
/** The newest known version of the open event, from the stream or from an answer. */
export const liveEvent = computed(() => {
  const id = openId.value;
  const received = id === null ? undefined : boardState.value.events.get(id);
  const answered = eventSnapshot.value?.as_of === null ? eventSnapshot.value.event : undefined;
  if (!received) return answered ?? null;
  return answered && BigInt(answered.position) > BigInt(received.event.position) ? answered : received.event;
});
/** What is shown of the open event; `moment` is null for now. While a moment loads, it is what was shown before it. */
export const shownEvent = computed(() => {
  const snapshot = eventSnapshot.value;
  if (selectedMoment.value !== null && snapshot !== null && snapshot.as_of !== null) {
    return { event: snapshot.event, moment: Date.parse(snapshot.as_of) };
  }
  return liveEvent.value && { event: liveEvent.value, moment: null };
});
export const storyModel = computed(() => {
  const status = liveEvent.value?.status;
  return story.value && toStoryModel(story.value, status !== undefined && hasEnded(status));
});

const SEEK_PAUSE_MS = 80;
let stopFollowing: () => void = () => {};

/** Loads an event and follows it until it is closed or another one is opened. */
export function openEvent(id: number): void {
  stopFollowing();
  const life = new AbortController();
  reset(id);
  const momentTask = new ThrottledTask(600, () => loadSnapshot(id, null, life.signal));
  const storyTask = new ThrottledTask(3000, () => loadInto(story, fetchStory(id, life.signal), life.signal));
  const linesTask = new ThrottledTask(3000, () =>
    loadAtMoment(eventLines, fetchLines(id, null, life.signal), null, life.signal),
  );
  const betsTask = new ThrottledTask(5000, async () => {
    if (selectedMoment.peek() === null)
      await loadAtMoment(eventIntelligence, fetchIntelligence(id, null, life.signal), null, life.signal);
    await loadInto(eventProbabilities, fetchProbabilities(id, life.signal), life.signal);
  });
  void loadInto(eventStatistics, fetchStatistics(id, life.signal), life.signal);
  let position: string | undefined;
  let wasComing = true;
  const unfollow = effect(() => {
    const received = boardState.value.events.get(id)?.event;
    const now = received?.position;
    if (now === position && position !== undefined) return;
    position = now;
    storyTask.schedule();
    // It does not change after the start.
    const isComing = received === undefined || phaseOf(received.status) === 'coming';
    if (isComing || wasComing) betsTask.schedule();
    wasComing = isComing;
    if (selectedMoment.peek() !== null) return;
    momentTask.schedule();
    linesTask.schedule();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seek: AbortController | null = null;
  let wasSeeking = false;
  const unseek = selectedMoment.subscribe((asOf) => {
    clearTimeout(timer);
    seek?.abort();
    isUnknownAtMoment.value = false;
    if (asOf === null) {
      linesTask.schedule();
      // Load at once: values of the earlier moment must not be shown as present.
      if (wasSeeking) void loadAtMoment(eventIntelligence, fetchIntelligence(id, null, life.signal), null, life.signal);
      wasSeeking = false;
      return momentTask.schedule();
    }
    wasSeeking = true;
    eventError.value = null;
    isLoadingMoment.value = true;
    const own = new AbortController();
    seek = own;
    const signal = AbortSignal.any([own.signal, life.signal]);
    timer = setTimeout(() => {
      void loadSnapshot(id, asOf, signal);
      void loadAtMoment(eventLines, fetchLines(id, asOf, signal), asOf, signal);
      void loadAtMoment(eventIntelligence, fetchIntelligence(id, asOf, signal), asOf, signal);
    }, SEEK_PAUSE_MS);
  });
  stopFollowing = () => {
    life.abort();
    momentTask.stop();
    storyTask.stop();
    linesTask.stop();
    betsTask.stop();
    clearTimeout(timer);
    unfollow();
    unseek();
  };
}

export function closeEvent(): void {
  stopFollowing();
  stopFollowing = () => {};
  reset(null);
}

function reset(id: number | null): void {
  eventSnapshot.value = null;
  story.value = null;
  eventLines.value = null;
  eventStatistics.value = null;
  eventIntelligence.value = null;
  eventProbabilities.value = null;
  eventError.value = null;
  isLoadingMoment.value = false;
  isUnknownAtMoment.value = false;
  selectedMoment.value = null;
  openId.value = id;
}

/** The stream of an event's day sends its changes. */
function followDay(day: string): void {
  if (boardState.peek().board?.date !== day) openDay(day);
}

/** Drops an answer for a moment that is no longer selected. */
async function loadSnapshot(id: number, asOf: number | null, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetchEventSnapshot(id, asOf, signal);
    if (signal.aborted || selectedMoment.value !== asOf) return;
    eventSnapshot.value = answer;
    isUnknownAtMoment.value = false;
    eventError.value = null;
    if (asOf === null) followDay(dayOf(answer.event));
  } catch (error) {
    if (signal.aborted || selectedMoment.value !== asOf) return;
    if (asOf !== null && error instanceof ServerError && error.status === 404) isUnknownAtMoment.value = true;
    else eventError.value = error instanceof Error ? error.message : String(error);
  }
  isLoadingMoment.value = false;
}

/** On an error the old value stays until the next load: the event's own answer shows what is wrong. */
async function loadInto<T>(into: Signal<T | null>, pending: Promise<T>, signal: AbortSignal): Promise<void> {
  const answer = await pending.catch(() => null);
  if (answer !== null && !signal.aborted) into.value = answer;
}

/** Like `loadInto`, at a moment. If the data of an earlier moment is missing, nothing is shown. */
async function loadAtMoment<T>(
  into: Signal<T | null>,
  pending: Promise<T>,
  asOf: number | null,
  signal: AbortSignal,
): Promise<void> {
  const answer = await pending.catch(() => null);
  if (signal.aborted || selectedMoment.value !== asOf) return;
  if (answer !== null || asOf !== null) into.value = answer;
}
