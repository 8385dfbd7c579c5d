import type { EventDocument } from '../../../projections/events.ts';
import { hexEventId } from '../../domain/hex-ids.ts';
import { timeOf } from '../../domain/observation.ts';
import { hasPlay } from '../../domain/results.ts';
import { formatTime } from '../../domain/time.ts';
import { sideName } from '../../read-models/rendering/event.ts';
import { isOver, type Listed } from './listed-events.ts';
import type { Parameters } from './query-parameters.ts';
import type { SportKey } from './sports.ts';

/** A time as the caller wants it: to the second. @param milliseconds */
export function shownTime(milliseconds: number, dateFormat: Parameters['dateFormat']): string | number {
  const seconds = Math.floor(milliseconds / 1000);
  return dateFormat === 'unix' ? seconds : formatTime(seconds * 1000);
}

export const shownSport = ({ key, group, title, description }: SportKey, active: boolean) => ({
  ...{ key, group, title, description, active },
  has_outrights: false,
});

/** What stands at the beginning of every event. */
const header = ({ document, sport }: Listed, { dateFormat }: Parameters) => ({
  id: hexEventId(document.id),
  sport_key: sport.key,
  sport_title: sport.title,
  commence_time: shownTime(timeOf(document.event.schedule!.starts_at), dateFormat),
});

const teams = (document: EventDocument) => ({
  home_team: sideName(document, 0),
  away_team: sideName(document, 1),
});

/** An event without its prices. */
export const shownEvent = (listed: Listed, parameters: Parameters) => ({
  ...header(listed, parameters),
  ...teams(listed.document),
  ...(parameters.includes.has('includeRotationNumbers')
    ? { home_rotation_number: null, away_rotation_number: null }
    : {}),
});

export function shownScore(listed: Listed, parameters: Parameters) {
  const { document } = listed;
  const { event, scoredAt } = document;
  const own = event.sides.map(({ score }) => score);
  const known = hasPlay(event.status) && own.every((score) => score !== undefined);
  const scores = known ? own.map((score, index) => ({ name: sideName(document, index as 0 | 1), score })) : null;
  return {
    ...header(listed, parameters),
    completed: isOver(document),
    ...teams(document),
    scores,
    last_update: scores && scoredAt !== undefined ? shownTime(timeOf(scoredAt), parameters.dateFormat) : null,
  };
}
