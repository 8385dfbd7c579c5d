import type { AlertFilter } from '../../../domain/alerts/alert-filter.ts';
import type { ALERT_FORMATS } from '../../../domain/alerts/alert-formats.ts';
import { findLeague, findSport } from '../../../domain/catalogue/catalogue.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { capitalized } from '../../live/page/view-model/capitalized.ts';
import { ALERT_CHOICES } from './alert-choices.ts';

/** Words for alerts, as people choose them. */

const FORMAT_WORDS: Readonly<Record<(typeof ALERT_FORMATS)[number], string>> = {
  ledgerline: 'Webhook',
  discord: 'Discord',
  slack: 'Slack or Mattermost',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  email: 'E-mail',
};

export const formatWords = (format: string): string => ownValue(FORMAT_WORDS, format) ?? format;

/** What each change is called where no choice of the page is meant. */
const TYPE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  ALERT_CHOICES.flatMap(({ label, filter: { types = [], ...others } }) =>
    types.length === 1 && Object.keys(others).length === 0 ? [[types[0]!, label]] : [],
  ),
);

const typeWords = (type: string): string => ownValue(TYPE_WORDS, type) ?? capitalized(type.replaceAll('_', ' '));

/**
 * What an alert is about: `Final scores: American Football`. Members that the page does not offer stand as the API has
 * them.
 * @param nameOf of an event; undefined where it is not known
 */
export function aboutWords(
  filter: AlertFilter | null,
  eventTypes: readonly string[],
  nameOf: (eventId: number) => string | undefined = () => undefined,
): string {
  const { types = eventTypes, sports = [], leagues = [], event_ids: ids = [], ...others } = filter ?? {};
  const choice = ALERT_CHOICES.find((one) => isSame(one.filter, { types, ...others }));
  const what = choice
    ? choice.label
    : [
        types.length === 0 ? 'Every change' : types.map(typeWords).join(', '),
        ...Object.entries(others).map(([name, value]) => `${name.replaceAll('_', ' ')} ${[value].flat().join(', ')}`),
      ].join('; ');
  const whose = [
    ...sports.map((sport) => findSport(sport)?.name ?? sport),
    ...leagues.map((league) => findLeague(league)?.name ?? league),
    ...ids.map((id) => nameOf(id) ?? `event ${id}`),
  ];
  return whose.length === 0 ? what : `${what}: ${whose.join(', ')}`;
}

const isSame = (one: AlertFilter, other: object): boolean => sorted(one) === sorted(other);
const sorted = (filter: object): string =>
  JSON.stringify(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
