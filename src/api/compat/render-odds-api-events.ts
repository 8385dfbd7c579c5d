import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { hexEventId } from '../../domain/primitives/hex-ids.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { hasPlayBegun } from '../../domain/sports-events/event-results.ts';
import { sideName } from '../../read-models/rendering/render-event.ts';
import { isOver, type ListedEvent } from './listed-events.ts';
import type { OddsApiParameters } from './query-parameters.ts';
import type { OddsApiSport } from './sport-keys.ts';

/** A time in the caller's format, in whole seconds. @param milliseconds */
export function renderTime(milliseconds: number, dateFormat: OddsApiParameters['dateFormat']): string | number {
  const seconds = Math.floor(milliseconds / 1000);
  return dateFormat === 'unix' ? seconds : formatTime(seconds * 1000);
}

export const renderSport = ({ key, group, title, description, isOutright }: OddsApiSport, active: boolean) => ({
  key,
  group,
  title,
  description,
  active,
  has_outrights: isOutright ?? false,
});

/** The first members of every event. */
const header = ({ document, sport }: ListedEvent, { dateFormat }: OddsApiParameters) => ({
  id: hexEventId(document.id),
  sport_key: sport.key,
  sport_title: sport.title,
  commence_time: renderTime(timeOf(document.event.schedule!.starts_at), dateFormat),
});

const teams = (document: EventDocument) => ({
  home_team: sideName(document, 0),
  away_team: sideName(document, 1),
});

/** An event without prices. */
export const renderEvent = (listed: ListedEvent, parameters: OddsApiParameters) => ({
  ...header(listed, parameters),
  ...teams(listed.document),
  ...(parameters.includes.has('includeRotationNumbers')
    ? { home_rotation_number: null, away_rotation_number: null }
    : {}),
});

export function renderScore(listed: ListedEvent, parameters: OddsApiParameters) {
  const { document } = listed;
  const { event, scoredAt } = document;
  const own = event.sides.map(({ score }) => score);
  const known = hasPlayBegun(event.status) && own.every((score) => score !== undefined);
  const scores = known ? own.map((score, index) => ({ name: sideName(document, index as 0 | 1), score })) : null;
  return {
    ...header(listed, parameters),
    completed: isOver(document),
    ...teams(document),
    scores,
    last_update: scores && scoredAt !== undefined ? renderTime(timeOf(scoredAt), parameters.dateFormat) : null,
  };
}
