import {
  BOOKMAKERS,
  EVENT_STATUSES,
  INJURY_STATUSES,
  RESULT_TYPES,
  SPORTS,
  type SportSlug,
} from '../../../domain/catalogue/catalogue.ts';
import { gameRulesOf, periodWordOf } from '../../../domain/catalogue/game-rules.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { playerStatisticNames, teamStatisticNames } from '../../../domain/statistics/statistics-catalogue.ts';

/** A page of the documentation, as Markdown. */
export interface DocumentationPage {
  /** As in its address: `feed`. */
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

/** What a resource of an event shows, and which operation answers it. */
export interface EventResource {
  readonly uri: string;
  readonly eventId: number;
  readonly kind: 'score' | 'odds';
}

interface StaticResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
  readonly text: () => string;
}

const SCHEME = 'ledgerline://';
const EVENT_RESOURCE = /^ledgerline:\/\/events\/([1-9]\d{0,15})\/(score|odds)$/;
const JSON_TYPE = 'application/json';

/** The score or the odds of an event, which change and cost credits; undefined for all other addresses. */
export function parseEventResource(uri: string): EventResource | undefined {
  const [, id, kind] = EVENT_RESOURCE.exec(uri) ?? [];
  const eventId = Number(id);
  return Number.isSafeInteger(eventId) ? { uri, eventId, kind: kind as EventResource['kind'] } : undefined;
}

/** Addresses with a variable part. */
export const RESOURCE_TEMPLATES = [
  template('events/{id}/score', 'event_score', 'Score of an event', 'Costs what `get_live_score` costs.', JSON_TYPE),
  template('events/{id}/odds', 'event_odds', 'Odds of an event', 'Costs what `get_odds` costs.', JSON_TYPE),
  template(
    'rules/{sport}',
    'rules',
    'Rules of a sport',
    'Its statuses, results and names of statistics. Free.',
    JSON_TYPE,
  ),
  template('docs/{page}', 'documentation', 'Page of the documentation', 'Free.', 'text/markdown'),
] as const;

function template(path: string, name: string, title: string, description: string, mimeType: string) {
  return { uriTemplate: `${SCHEME}${path}`, name, title, description, mimeType };
}

/** The resources that are the same for every caller and cost nothing. */
export interface StaticResources {
  readonly list: () => readonly Omit<StaticResource, 'text'>[];
  /** Undefined if there is none. */
  readonly read: (uri: string) => { readonly mimeType: string; readonly text: string } | undefined;
  /** Possible values of a template's variable. */
  readonly values: (variable: string) => readonly string[];
}

export function createStaticResources(pages: readonly DocumentationPage[]): StaticResources {
  const all: readonly StaticResource[] = [
    {
      uri: `${SCHEME}catalogue`,
      name: 'catalogue',
      title: 'Sports, leagues and bookmakers',
      mimeType: JSON_TYPE,
      text: () => JSON.stringify(catalogue()),
    },
    ...SPORTS.map(({ slug, name }) => ({
      uri: `${SCHEME}rules/${slug}`,
      name: `rules-${slug}`,
      title: `${name} (${slug}): statuses, results and statistics`,
      mimeType: JSON_TYPE,
      text: () => JSON.stringify(sportRules(slug)),
    })),
    ...pages.map(({ name, title, markdown }) => ({
      uri: `${SCHEME}docs/${name}`,
      name: `docs-${name}`,
      title,
      mimeType: 'text/markdown',
      text: () => markdown,
    })),
  ];
  const byUri = new Map(all.map((one) => [one.uri, one]));
  const listed = all.map(({ text: _, ...rest }) => rest);
  const sports = SPORTS.map(({ slug }) => slug);
  const pageNames = pages.map(({ name }) => name);
  return {
    list: () => listed,
    read(uri) {
      const found = byUri.get(uri);
      return found && { mimeType: found.mimeType, text: found.text() };
    },
    values: (variable) => (variable === 'sport' ? sports : variable === 'page' ? pageNames : []),
  };
}

const catalogue = () => ({
  sports: SPORTS.map(({ slug, name, leagues }) => ({
    slug,
    name,
    leagues: leagues.map((league) => ({ slug: league.slug, name: league.name })),
  })),
  bookmakers: Object.entries(BOOKMAKERS).map(([slug, name]) => ({ slug, name })),
});

function sportRules(sport: SportSlug) {
  const { roles, homeFirst, extraPlay, score } = rulesOf(sport);
  return {
    sport,
    sides: roles,
    event_name_starts_with: homeFirst ? roles[0] : roles[1],
    score_is: score === 'sets' ? 'one number for each set' : 'one number',
    period_word: periodWordOf(gameRulesOf({ sport })),
    play_beyond_regulation: extraPlay,
    event_statuses: EVENT_STATUSES,
    result_types: RESULT_TYPES,
    injury_statuses: INJURY_STATUSES,
    side_statistics: teamStatisticNames(sport),
    player_statistics: playerStatisticNames(sport),
  };
}
