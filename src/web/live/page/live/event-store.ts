import { computed, effect, type Signal, signal } from '@preact/signals';
import type { EventIntelligence, EventProbabilities } from '../../intelligence-answers.ts';
import type { EventLines, EventMoment, EventStatistics, Story } from '../../live-answers.ts';
import {
  AnswerError,
  fetchIntelligence,
  fetchLines,
  fetchMoment,
  fetchProbabilities,
  fetchStatistics,
  fetchStory,
} from '../net/answers.ts';
import { AtMostEvery } from '../net/at-most-every.ts';
import { dayOf } from '../state/board-state.ts';
import { hasEnded, phaseOf } from '../state/order.ts';
import { modelOf } from '../state/story-model.ts';
import { boardState, openDay } from './board-store.ts';

/** The event that is open. */
export const moment = signal<EventMoment | null>(null);
const story = signal<Story | null>(null);
/** Lines of periods, sides and players at the moment that is looked at. */
export const lines = signal<EventLines | null>(null);
/** What both sides did before the event. */
export const statistics = signal<EventStatistics | null>(null);
/** What its bets are worth at the moment that is looked at. */
export const intelligence = signal<EventIntelligence | null>(null);
/** How likely the first side was to win, until the start. */
export const probabilities = signal<EventProbabilities | null>(null);
/** Why the event cannot be shown. */
export const eventError = signal<string | null>(null);
/** The moment that is looked at, in milliseconds; null for now. */
export const seeking = signal<number | null>(null);
/** The moment that is looked at is not shown yet. */
export const awaited = signal(false);
/** At this moment there was nothing known of the event. */
export const unknownThen = signal(false);

const openId = signal<number | null>(null);
/** The newest version of the open event that is known, by the stream or by an answer. */
export const liveEvent = computed(() => {
  const id = openId.value;
  const told = id === null ? undefined : boardState.value.events.get(id);
  const answered = moment.value?.as_of === null ? moment.value.event : undefined;
  if (!told) return answered ?? null;
  return answered && BigInt(answered.position) > BigInt(told.event.position) ? answered : told.event;
});
export const model = computed(() => {
  const status = liveEvent.value?.status;
  return story.value && modelOf(story.value, status !== undefined && hasEnded(status));
});

const SEEK_PAUSE_MS = 80;
let closing: () => void = () => {};

/** Loads an event and follows it until another one is opened or it is closed. */
export function openEvent(id: number): void {
  closing();
  const life = new AbortController();
  reset(id);
  const momentTask = new AtMostEvery(600, () => loadMoment(id, null, life.signal));
  const storyTask = new AtMostEvery(3000, () => loadBeside(story, fetchStory(id, life.signal), life.signal));
  const linesTask = new AtMostEvery(3000, () => loadThen(lines, fetchLines(id, null, life.signal), null, life.signal));
  const worthTask = new AtMostEvery(5000, async () => {
    if (seeking.peek() === null)
      await loadThen(intelligence, fetchIntelligence(id, null, life.signal), null, life.signal);
    await loadBeside(probabilities, fetchProbabilities(id, life.signal), life.signal);
  });
  void loadBeside(statistics, fetchStatistics(id, life.signal), life.signal);
  let position: string | undefined;
  let wasComing = true;
  const unfollow = effect(() => {
    const told = boardState.value.events.get(id)?.event;
    const now = told?.position;
    if (now === position && position !== undefined) return;
    position = now;
    storyTask.ask();
    // From the start on it stands still.
    const isComing = told === undefined || phaseOf(told.status) === 'coming';
    if (isComing || wasComing) worthTask.ask();
    wasComing = isComing;
    if (seeking.peek() !== null) return;
    momentTask.ask();
    linesTask.ask();
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let seek: AbortController | null = null;
  let wasSeeking = false;
  const unseek = seeking.subscribe((asOf) => {
    clearTimeout(timer);
    seek?.abort();
    if (asOf === null) {
      linesTask.ask();
      // Without a pause: what stood then must not stand for now.
      if (wasSeeking) void loadThen(intelligence, fetchIntelligence(id, null, life.signal), null, life.signal);
      wasSeeking = false;
      return momentTask.ask();
    }
    wasSeeking = true;
    awaited.value = true;
    const own = new AbortController();
    seek = own;
    const signal = AbortSignal.any([own.signal, life.signal]);
    timer = setTimeout(() => {
      void loadMoment(id, asOf, signal);
      void loadThen(lines, fetchLines(id, asOf, signal), asOf, signal);
      void loadThen(intelligence, fetchIntelligence(id, asOf, signal), asOf, signal);
    }, SEEK_PAUSE_MS);
  });
  closing = () => {
    life.abort();
    momentTask.stop();
    storyTask.stop();
    linesTask.stop();
    worthTask.stop();
    clearTimeout(timer);
    unfollow();
    unseek();
  };
}

export function closeEvent(): void {
  closing();
  closing = () => {};
  reset(null);
}

function reset(id: number | null): void {
  moment.value = null;
  story.value = null;
  lines.value = null;
  statistics.value = null;
  intelligence.value = null;
  probabilities.value = null;
  eventError.value = null;
  awaited.value = false;
  unknownThen.value = false;
  seeking.value = null;
  openId.value = id;
}

/** What happens to an event is told by the stream of its day. */
function followDay(day: string): void {
  if (boardState.peek().board?.date !== day) openDay(day);
}

/** An answer for a moment that is no longer looked at is dropped. */
async function loadMoment(id: number, asOf: number | null, signal: AbortSignal): Promise<void> {
  try {
    const answer = await fetchMoment(id, asOf, signal);
    if (signal.aborted || seeking.value !== asOf) return;
    moment.value = answer;
    unknownThen.value = false;
    eventError.value = null;
    if (asOf === null) followDay(dayOf(answer.event));
  } catch (error) {
    if (signal.aborted || seeking.value !== asOf) return;
    if (asOf !== null && error instanceof AnswerError && error.status === 404) unknownThen.value = true;
    else eventError.value = error instanceof Error ? error.message : String(error);
  }
  awaited.value = false;
}

/** The event's own answer says what is wrong: what is shown stays until it is asked for again. */
async function loadBeside<T>(into: Signal<T | null>, asked: Promise<T>, signal: AbortSignal): Promise<void> {
  const answer = await asked.catch(() => null);
  if (answer !== null && !signal.aborted) into.value = answer;
}

/** The same of a moment: what is not known of an earlier one is not shown. */
async function loadThen<T>(
  into: Signal<T | null>,
  asked: Promise<T>,
  asOf: number | null,
  signal: AbortSignal,
): Promise<void> {
  const answer = await asked.catch(() => null);
  if (signal.aborted || seeking.value !== asOf) return;
  if (answer !== null || asOf !== null) into.value = answer;
}
