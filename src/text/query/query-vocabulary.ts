import { EVENT_STATUSES, type EventStatus, SPORT_SLUGS, type SportSlug } from '../../domain/catalogue/catalogue.ts';

/** Phrases of one or two words for sports, including their slugs. */
export const SPORT_PHRASES: ReadonlyMap<string, SportSlug> = new Map<string, SportSlug>([
  ...SPORT_SLUGS.map((slug) => [slug, slug] as const),
  ['hockey', 'nhl'],
  ['ice hockey', 'nhl'],
  ['basketball', 'nba'],
  ['baseball', 'mlb'],
  ['american football', 'nfl'],
  ['college football', 'ncaaf'],
  ['ncaa football', 'ncaaf'],
  ['college basketball', 'ncaab'],
  ['ncaa basketball', 'ncaab'],
]);

/** Phrases for statuses, including their own names. */
export const STATUS_PHRASES: ReadonlyMap<string, EventStatus> = new Map<string, EventStatus>([
  ...EVENT_STATUSES.map((status) => [status, status] as const),
  ['live', 'inprogress'],
  ['in progress', 'inprogress'],
  ['upcoming', 'scheduled'],
  ['canceled', 'cancelled'],
]);

/** Words without a meaning for the selection of events. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the all any and or of in on at for from to between is are there what which me show list find get give ' +
    'please game games match matches event events fixture fixtures'
  ).split(' '),
);
