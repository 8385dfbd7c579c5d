import type { DomainEventData, DomainRecord, Origin } from '../domain/domain-events.ts';
import type { FeedOutcome } from '../domain/feed/messages.ts';
import type { EventSide } from '../domain/sports-event.ts';
import { fitOutcome, turnSides } from './turning.ts';

type Message = Readonly<Record<string, unknown>>;
/** The record of a stream with this revision, for reconfirmations. */
export type FindRecord = (stream: string, revision: number) => Promise<DomainRecord | undefined>;

/**
 * The feed messages that a record says again: none for what the server found out by itself. Sent to another server
 * in the order of the log, they leave it in the same state, ids aside.
 */
export async function messagesOf(record: DomainRecord, find: FindRecord): Promise<readonly Message[]> {
  const { data } = record;
  if ('of' in data) {
    const original = await find(record.stream, data.of);
    if (!original || 'of' in original.data) return [];
    const { at, source } = data;
    const origin = 'origin' in data ? { origin: data.origin } : {};
    return messagesOf({ ...original, data: { ...original.data, at, source, ...origin } } as DomainRecord, find);
  }
  const message = messageOf(record);
  return message ? [message] : [];
}

function messageOf(record: DomainRecord): Message | undefined {
  switch (record.type) {
    case 'EventScheduled':
      return schedule(record.data);
    case 'ScoreChanged':
      return score(record.data);
    case 'PricesChanged':
      return prices(record.data);
    case 'SplitsChanged': {
      const { bookmaker, markets } = record.data.content;
      const turned = turnMembers(markets, record.data.origin);
      return { ...head('splits', record.data), ...(bookmaker === null ? {} : { bookmaker }), markets: turned };
    }
    case 'BoxChanged': {
      const { teams, players, ...facts } = record.data.content;
      const { origin, sport } = record.data;
      const own = teams && (origin?.turned ? turnSides(teams) : teams);
      const rows = players?.map((player) => ({ ...player, role: turnRole(player.role, sport, origin) }));
      return {
        ...head('box', record.data),
        ...facts,
        ...(own ? { teams: own } : {}),
        ...(rows ? { players: rows } : {}),
      };
    }
    case 'LineupChanged': {
      const { teams, probable_starters: starters, ...facts } = record.data.content;
      const { origin } = record.data;
      const own = origin?.turned ? turnSides(teams) : teams;
      const probable = starters && (origin?.turned ? turnSides(starters) : starters);
      return {
        ...head('lineup', record.data),
        ...facts,
        teams: own,
        ...(probable ? { probable_starters: probable } : {}),
      };
    }
    case 'InjuriesChecked':
      return { ...head('injury', record.data), checked: true };
    case 'InjuryReported': {
      const { at, source, sport, content, origin } = record.data;
      return { kind: 'injury', source, at, sport, ...origin, ...content };
    }
    case 'TeamChanged': {
      const { at, source, sport, ref, content } = record.data;
      if (content.rank === 'named') return undefined;
      const { venue, ...facts } = content.facts;
      return { kind: 'team', source, at, sport, league: content.league, ref, ...facts, ...withoutId('venue', venue) };
    }
    case 'PlayerChanged': {
      const { at, source, sport, ref, content } = record.data;
      if (content.rank === 'named') return undefined;
      const { team_id: _, ...facts } = content.facts;
      const league = content.league === undefined ? {} : { league: content.league };
      return { kind: 'player', source, at, sport, ...league, ref, ...facts };
    }
    default:
      return undefined;
  }
}

interface Named {
  readonly at: string;
  readonly source: string;
  readonly origin?: Origin;
}

function head(kind: string, { at, source, origin }: Named): Message {
  const { ref, match } = origin ?? {};
  return { kind, source, at, ...(ref === undefined ? {} : { ref }), ...(match === undefined ? {} : { match }) };
}

function withoutId(name: string, place: { readonly id: number } | undefined): Message {
  if (!place) return {};
  const { id: _, ...facts } = place;
  return { [name]: facts };
}

const rolesOf = (sport: string) => (sport === 'tennis' ? ['player_1', 'player_2'] : ['home', 'away']);

function turnRole(role: string, sport: string, origin: Origin | undefined): string | undefined {
  const roles = rolesOf(sport);
  return origin?.turned ? roles[1 - roles.indexOf(role)] : role;
}

function schedule({ sport, league, content, ...data }: DomainEventData['EventScheduled']): Message {
  const { sides, venue, competition, ...facts } = content;
  const own = data.origin?.turned ? [sides[1], sides[0]] : sides;
  const { refs } = data.origin ?? {};
  return {
    ...head('schedule', data),
    sport,
    league,
    ...(refs ? { refs } : {}),
    ...facts,
    participants: own.map((side, index) => participant(side, rolesOf(sport)[index]!)),
    ...withoutId('venue', venue),
    ...withoutId('competition', competition),
  };
}

function participant(
  { ref, name, abbreviation, country_code, placeholder, members }: EventSide,
  role: string,
): Message {
  return {
    role,
    ...(ref === undefined ? {} : { ref }),
    name,
    ...(abbreviation === null ? {} : { abbreviation }),
    ...(country_code === null ? {} : { country_code }),
    ...(placeholder ? { placeholder } : {}),
    ...(members?.length ? { members: members.map(({ id: _, ...member }) => member) } : {}),
  };
}

function score({ sport, content, ...data }: DomainEventData['ScoreChanged']): Message {
  const { sides, ...facts } = content;
  const roles = data.origin?.turned ? rolesOf(sport).toReversed() : rolesOf(sport);
  const scores = sides?.flatMap((side, index) => (side ? [{ role: roles[index], ...side }] : []));
  return { ...head('score', data), ...facts, ...(scores ? { scores } : {}) };
}

function prices({ sport, content, ...data }: DomainEventData['PricesChanged']): Message {
  const turned = data.origin?.turned === true;
  const markets = content.markets.map(({ outcomes, ...market }) => ({
    ...market,
    outcomes: outcomes.map((outcome) => fitOutcome(outcome as FeedOutcome, sport, turned)),
  }));
  return { ...head('odds', data), bookmaker: content.bookmaker, markets };
}

const turnMembers = (markets: object, origin: Origin | undefined): object =>
  origin?.turned
    ? Object.fromEntries(Object.entries(markets).map(([name, sides]) => [name, turnSides(sides)]))
    : markets;
