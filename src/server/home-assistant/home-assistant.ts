import { LRUCache } from 'lru-cache';
import type mqtt from 'mqtt';
import { type OddsDocument, odds } from '../../../projections/odds/odds.ts';
import { type EventDocument, events } from '../../../projections/sports-events/events.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { HomeAssistantSettings } from '../../platform/settings/config.ts';
import type { DocumentChangeSource } from '../../read-models/projector/document-changes.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import {
  AVAILABILITY_TOPIC,
  discoveryMessage,
  discoveryTopic,
  eventTopic,
  type FollowedTeam,
  stateTopic,
} from './discovery-message.ts';
import { chooseGame, describeTeam, eventsBetween, type SeenGame, scoreOf, teamsIn } from './team-game.ts';

interface HomeAssistantParts {
  readonly settings: HomeAssistantSettings;
  readonly connect: typeof mqtt.connect;
  readonly store: DocumentReader;
  readonly identities: Pick<Identities, 'findByName'>;
  readonly changes: DocumentChangeSource['documentChanges'];
  readonly version: string;
  readonly url: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly warn: (text: string) => void;
}

export interface HomeAssistant {
  /** Reads what is known, then follows the changes. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Games of a team from a day ago on. */
const MAX_GAMES = 30;
/** Games whose last state is remembered, over all teams. */
const MAX_SEEN = 2000;
/** Messages that the broker has not confirmed. Beyond it none are sent until it is back: states are sent anew then. */
const MAX_UNCONFIRMED = 1000;
/** What a team shows changes by time alone too: the last game gives way to the next one. */
const LOOK_EVERY_MS = 60_000;

/**
 * Publishes favourite teams to an MQTT broker, as devices that Home Assistant finds by itself. States are retained, so
 * whoever comes later has them. What happens while the broker is away is not made up for: the states are, on its return.
 */
export function openHomeAssistant(parts: HomeAssistantParts): HomeAssistant {
  const { settings, store, identities, changes, version, url, now, setTimer, warn } = parts;
  const client = parts.connect(settings.url, {
    will: { topic: AVAILABILITY_TOPIC, payload: Buffer.from('offline'), retain: true, qos: 1 },
    reconnectPeriod: 5000,
    // What could not be sent is sent anew from what is known, so nothing waits in the client.
    queueQoSZero: false,
    resubscribe: false,
  });
  const teams = new Map<number, FollowedTeam>();
  let unresolved = settings.teams;
  let ids: ReadonlySet<number> = new Set();
  const seen = new LRUCache<string, SeenGame>({ max: MAX_SEEN });
  /** The game that each team shows, and the state that was sent last. */
  const shown = new Map<number, { readonly eventId: number | undefined; readonly state: string }>();
  const changed = new Set<number>();
  let refreshing: Promise<void> | undefined;
  let unconfirmed = 0;
  let isAway = false;

  function publish(topic: string, payload: string, retain: boolean): void {
    if (!client.connected || unconfirmed >= MAX_UNCONFIRMED) return;
    unconfirmed++;
    client.publish(topic, payload, { qos: 1, retain }, () => {
      unconfirmed--;
    });
  }

  /** Announces a team; what it shows follows with its next refresh. */
  function announce(team: FollowedTeam): void {
    publish(discoveryTopic(team), JSON.stringify(discoveryMessage(team, { version, url })), true);
    shown.delete(team.id);
    refreshLater(team.id);
  }

  client.on('connect', () => {
    if (isAway) warn('the MQTT broker is there again');
    isAway = false;
    publish(AVAILABILITY_TOPIC, 'online', true);
    for (const team of teams.values()) announce(team);
  });
  client.on('error', (error) => fail(error.message));
  client.on('close', () => fail('the connection has ended'));
  let isClosed = false;
  function fail(reason: string): void {
    if (isAway || isClosed) return;
    isAway = true;
    warn(`the MQTT broker cannot be reached, it is tried again: ${reason}`);
  }

  /** Finds the teams that were not known before. */
  async function resolveTeams(): Promise<void> {
    const found = await Promise.all(
      unresolved.map(async ({ sport, name }) => {
        const [id, ...others] = await identities.findByName('team', sport, normalizeName(name));
        return id === undefined || others.length > 0 ? undefined : { id, name, sport };
      }),
    );
    unresolved = unresolved.filter((_, index) => !found[index]);
    for (const team of found) {
      if (!team) continue;
      teams.set(team.id, team);
      ids = new Set(teams.keys());
      // What the game is now is no news.
      for (const game of await gamesOf(team.id)) seen.set(`${team.id} ${game.id}`, seenGame(game, team.id));
      announce(team);
    }
  }

  const seenGame = (game: EventDocument, teamId: number): SeenGame => ({
    status: game.event.status,
    score: scoreOf(game, teamId),
  });

  async function gamesOf(teamId: number): Promise<EventDocument[]> {
    const found = await store.find<EventDocument>(events.name, {
      where: { team_ids: teamId },
      range: { field: 'starts_at', from: now() - DAY },
      order: { field: 'starts_at', direction: 'asc' },
      limit: MAX_GAMES,
    });
    return found.map(({ document }) => document);
  }

  function refreshLater(teamId: number): void {
    changed.add(teamId);
    refreshing ??= refresh()
      .catch((error: Error) => warn(`the state of a team could not be read: ${error.message}`))
      .finally(() => {
        refreshing = undefined;
      });
  }

  /** A team that changes again while it is read is read once more. */
  async function refresh(): Promise<void> {
    for (const teamId of changed) {
      changed.delete(teamId);
      const games = await gamesOf(teamId);
      const eventId = chooseGame(games, now())?.id;
      const prices = eventId === undefined ? undefined : await store.get<OddsDocument>(odds.name, String(eventId));
      const state = JSON.stringify(describeTeam(teamId, games, prices?.document, now()));
      if (shown.get(teamId)?.state === state) continue;
      shown.set(teamId, { eventId, state });
      publish(stateTopic(teams.get(teamId)!), state, true);
    }
  }

  function noteGame(game: EventDocument): void {
    for (const teamId of teamsIn(game, ids)) {
      const key = `${teamId} ${game.id}`;
      const after = seenGame(game, teamId);
      for (const event_type of eventsBetween(seen.get(key), after)) {
        const happened = { event_type, event_id: game.id, score: after.score };
        publish(eventTopic(teams.get(teamId)!), JSON.stringify(happened), false);
      }
      seen.set(key, after);
      refreshLater(teamId);
    }
  }

  function noteOdds(eventId: number): void {
    for (const [teamId, { eventId: own }] of shown) if (own === eventId) refreshLater(teamId);
  }

  const subscription = changes.subscribe(({ projection, changes: some }) => {
    if (projection === events.name) {
      for (const { document } of some) if (document) noteGame(document as EventDocument);
    } else if (projection === odds.name) {
      for (const { key } of some) noteOdds(Number(key));
    } else if (projection === 'teams' && unresolved.length > 0) {
      resolveTeams().catch((error: Error) => warn(`favourite teams could not be looked up: ${error.message}`));
    }
  });

  let cancelLook = (): void => {};
  function lookLater(): void {
    cancelLook = setTimer(() => {
      for (const id of teams.keys()) refreshLater(id);
      lookLater();
    }, LOOK_EVERY_MS);
  }

  return {
    async start() {
      await resolveTeams();
      lookLater();
      for (const { sport, name } of unresolved) {
        warn(`MQTT_TEAMS: no team, or several, of ${sport} are known as ${name}; it is followed once one is`);
      }
    },
    async close() {
      isClosed = true;
      cancelLook();
      subscription.unsubscribe();
      await refreshing;
      if (client.connected) await client.publishAsync(AVAILABILITY_TOPIC, 'offline', { qos: 1, retain: true });
      await client.endAsync(true);
    },
  };
}
