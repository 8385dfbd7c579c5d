import type { Decider } from '../../src/domain/decider.ts';
import { addRepetition, addToHistory, type History, placeIn, type Said } from '../../src/domain/history.ts';
import type { Entry } from '../../src/domain/observation.ts';
import {
  applySchedule,
  applyScore,
  newSportsEvent,
  type ScheduleContent,
  type ScoreContent,
  type SportsEvent,
} from '../../src/domain/sports-event.ts';
import type { RecordOf } from '../../src/domain/streams/stream-kind.ts';
import { formatTime } from '../../src/domain/time.ts';
import { type EventFact, type SportsEventEvent, scheduleSaid, scoreSaid } from './event-facts.ts';
import { type EventState, evolveEvent, initialEvent } from './event-state.ts';
import { decideOther } from './other-facts.ts';
import { type EventPlace, told } from './told.ts';

type Told = { readonly schedule: ScheduleContent } | { readonly score: ScoreContent };

/** All that was said of one sports event. */
interface EventHistory {
  readonly present: EventState;
  readonly history: History<Told>;
  readonly checks: Set<string>;
}

/** One wrapper for one content, so that its canonical form is computed once. */
const wrappers = new WeakMap<object, Told>();
function wrapped<Content extends object>(kind: 'schedule' | 'score', said: Said<Content>): Said<Told> {
  let content = wrappers.get(said.content);
  if (!content) {
    content = { [kind]: said.content } as unknown as Told;
    wrappers.set(said.content, content);
  }
  return { ...said, content };
}

function apply(event: SportsEvent, { at, source, content }: Entry<Told>): SportsEvent {
  const observation = { at: formatTime(at), source };
  return 'schedule' in content
    ? applySchedule(event, { ...observation, content: content.schedule })
    : applyScore(event, { ...observation, content: content.score });
}

function place(history: History<Told>, kind: 'schedule' | 'score', said: Said<Told>): EventPlace {
  const placement = placeIn(history, said, { bySource: true, ofSubject: (content) => kind in content });
  if (placement.kind !== 'late') return placement;
  return { kind: 'late', late: placement.entries.reduce(apply, newSportsEvent()) };
}

/** Decides on what is older than something else that was said of the event. */
export const eventHistory: Decider<EventHistory, EventFact, SportsEventEvent> = {
  initial: () => ({ present: initialEvent(), history: [], checks: new Set() }),
  decide(fact, { present, history, checks }) {
    if (fact.kind === 'schedule') {
      return told(fact, place(history, 'schedule', wrapped('schedule', scheduleSaid(fact))), present.event);
    }
    if (fact.kind === 'score') {
      return told(fact, place(history, 'score', wrapped('score', scoreSaid(fact))), present.event);
    }
    const isKnown = fact.kind === 'injuries checked' && checks.has(`${fact.at}|${fact.source}`);
    return isKnown ? [] : decideOther(fact, present);
  },
  evolve(state: EventHistory, record: RecordOf<SportsEventEvent>) {
    const { history, checks } = state;
    const { data, revision, type } = record;
    if (type === 'EventScheduled') addToHistory(history, wrapped('schedule', scheduleSaid(data)), revision);
    else if (type === 'ScoreChanged') addToHistory(history, wrapped('score', scoreSaid(data)), revision);
    else if (type === 'ScheduleReconfirmed' || type === 'ScoreReconfirmed') addRepetition(history, data);
    else if (type === 'InjuriesChecked') checks.add(`${data.at}|${data.source}`);
    evolveEvent(state.present, record);
    return state;
  },
};
