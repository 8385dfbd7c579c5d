import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type mqtt from 'mqtt';
import { teams as teamDirectory } from '../../../projections/directory/teams.ts';
import { type OddsDocument, odds } from '../../../projections/odds/odds.ts';
import { type EventDocument, events, participatingTeamIds } from '../../../projections/sports-events/events.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { addToGroup } from '../../domain/primitives/collections.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { Identities } from '../../ingest/identities/identities.ts';
import { createSequentialQueue } from '../../platform/async/concurrency.ts';
import type { SetTimer } from '../../platform/async/timer.ts';
import type { HomeAssistantSettings } from '../../platform/settings/config.ts';
import type { DocumentChangeSource } from '../../read-models/projector/document-changes.ts';
import type { DocumentReader, StoredDocument } from '../../read-models/store/document-reader.ts';
import { AVAILABILITY_TOPIC, discoveryMessage, discoveryTopic, eventTopic, stateTopic } from './discovery-message.ts';
import { type FollowedTeam, findNamed, type NamedTeam, teamsByDevice } from './followed-teams.ts';
import { chooseGame, describeTeam, eventsBetween, type SeenGame, scoreOf } from './team-game.ts';

interface HomeAssistantParts {
  readonly settings: HomeAssistantSettings;
  readonly connect: typeof mqtt.connect;
  readonly store: DocumentReader;
  /** As the sources said them. */
  readonly identities: Pick<Identities, 'findByName'>;
  /** What was merged, split and undone since. */
  readonly replacements: Pick<StreamReplacements, 'acts' | 'mergedInto' | 'planAt'>;
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

/** Games of a team from `PAST` on. */
const MAX_GAMES = 30;
/** One that was suspended may end days after its start. */
const PAST = 3 * DAY;
/** Games of a team in play, whenever they began: the last ones, since a source that stopped never ends its own. */
const MAX_IN_PLAY = 10;
/** Games whose last state is remembered, over all teams. */
const MAX_SEEN = 2000;
/** Messages that the broker has not confirmed. Beyond it none are sent until it is back: states are sent anew then. */
const MAX_UNCONFIRMED = 1000;
/** What a team shows changes by time alone too: the last game gives way to the next one. */
const LOOK_EVERY_MS = 60_000;

/** What a change said of a game, for one team. */
interface NotedGame {
  readonly id: number;
  readonly position: bigint;
  readonly state: SeenGame;
}

const startOf = ({ event }: EventDocument): number => timeOf(event.schedule!.starts_at);

/**
 * Publishes favourite teams to an MQTT broker, as devices that Home Assistant finds by itself. States are retained, so
 * whoever comes later has them. What happens while the broker is away is not made up for: the states are, on its return.
 */
export function openHomeAssistant(parts: HomeAssistantParts): HomeAssistant {
  const { settings, store, identities, replacements, changes, version, url, now, setTimer, warn } = parts;
  const client = parts.connect(settings.url, {
    will: { topic: AVAILABILITY_TOPIC, payload: Buffer.from('offline'), retain: true, qos: 1 },
    reconnectPeriod: 5000,
    // What could not be sent is sent anew from what is known, so nothing waits in the client.
    queueQoSZero: false,
    resubscribe: false,
  });
  let named: readonly NamedTeam[] = settings.teams.map((team) => ({ ...team, homes: [] }));
  let unclear = named;
  /** By the id of their device, and by that of the team. */
  let teams: ReadonlyMap<number, FollowedTeam> = new Map();
  let byTeam: ReadonlyMap<number, readonly FollowedTeam[]> = new Map();
  /** Devices that may be announced and that no team is shown by. */
  let gone: ReadonlySet<number> = new Set();
  /** How many acts on identities `teams` takes into account. */
  let knownActs = replacements.acts;
  const seen = new LRUCache<string, SeenGame>({ max: MAX_SEEN });
  /** What happens to the games of a device while those that are known are read. */
  const learning = new Map<number, NotedGame[]>();
  /** The game that each device shows, and the state that was sent last. */
  const shown = new Map<number, { readonly eventId: number | undefined; readonly state: string }>();
  const changed = new Set<number>();
  /** One read after another. */
  const inTurn = createSequentialQueue();
  let finding: Promise<void> | undefined;
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

  /** Home Assistant removes a device whose announcement becomes empty. */
  function withdraw(id: number): void {
    publish(discoveryTopic({ id }), '', true);
    publish(stateTopic({ id }), '', true);
    shown.delete(id);
  }

  client.on('connect', () => {
    if (isAway) warn('the MQTT broker is there again');
    isAway = false;
    publish(AVAILABILITY_TOPIC, 'online', true);
    for (const team of teams.values()) announce(team);
    for (const id of gone) withdraw(id);
  });
  client.on('error', (error) => fail(error.message));
  client.on('close', () => fail('the connection has ended'));
  let isClosed = false;
  function fail(reason: string): void {
    if (isAway || isClosed) return;
    isAway = true;
    warn(`the MQTT broker cannot be reached, it is tried again: ${reason}`);
  }

  /** Finds what the names mean now. */
  function findTeams(): Promise<void> {
    finding ??= inTurn(() => {
      finding = undefined;
      return findNamed(settings.teams, identities);
    }).then((found) => {
      named = found;
      return followTeams();
    });
    return finding;
  }

  function findTeamsLater(): void {
    findTeams().catch((error: Error) => warn(`favourite teams could not be looked up: ${error.message}`));
  }

  /**
   * Follows each team under the id that it has after all acts on identities, from this moment on. Resolves when their
   * games are known.
   */
  async function followTeams(): Promise<void> {
    knownActs = replacements.acts;
    const before = teams;
    const { followed, unclear: others } = teamsByDevice(named, replacements);
    unclear = others;
    const isSame = (team: FollowedTeam) => isDeepStrictEqual(team, before.get(team.id));
    teams = new Map([...followed].map(([id, team]) => [id, isSame(team) ? before.get(id)! : team]));
    const groups = new Map<number, FollowedTeam[]>();
    for (const team of teams.values()) addToGroup(groups, team.teamId, team);
    byTeam = groups;
    for (const { id, sport, name } of before.values()) {
      if (!teams.has(id))
        warn(`MQTT_TEAMS: ${name} of ${sport} means no team any more, or several: its device is removed`);
    }
    withdrawOthers([...before.keys(), ...named.flatMap(({ homes }) => homes)]);
    const fresh = [...teams.values()].filter((team) => team !== before.get(team.id));
    for (const { id } of fresh) if (!learning.has(id)) learning.set(id, []);
    await Promise.all(fresh.map(({ id }) => inTurn(() => learnGames(id))));
  }

  /** Withdraws the devices of these ids that show no team, since an earlier start may have announced them too. */
  function withdrawOthers(ids: readonly number[]): void {
    const others = new Set([...gone, ...ids]);
    for (const id of teams.keys()) others.delete(id);
    for (const id of others) if (!gone.has(id)) withdraw(id);
    gone = others;
  }

  /** Learns what the games of a team are now: that is no news. What happens while they are read is. */
  async function learnGames(id: number): Promise<void> {
    const team = teams.get(id);
    const positions = new Map<number, bigint>();
    for (const { document, position } of team ? await gamesOf(team) : []) {
      seen.set(`${id} ${document.id}`, seenGame(document, team!.teamId));
      positions.set(document.id, position);
    }
    // It means another team by now, whose games are read next.
    if (teams.get(id) !== team) return;
    const noted = learning.get(id) ?? [];
    learning.delete(id);
    if (!team) return;
    for (const game of noted) if (game.position > (positions.get(game.id) ?? -1n)) tell(team, game);
    announce(team);
  }

  const seenGame = (game: EventDocument, teamId: number): SeenGame => ({
    status: game.event.status,
    score: scoreOf(game, teamId),
  });

  /** By start. */
  async function gamesOf({ id, teamId }: FollowedTeam): Promise<readonly StoredDocument<EventDocument>[]> {
    const [near = [], inPlay = []] = await store.findEach<EventDocument>(events.name, [
      {
        where: { team_ids: teamId },
        range: { field: 'starts_at', from: now() - PAST },
        order: { field: 'starts_at', direction: 'asc' },
        limit: MAX_GAMES,
      },
      {
        where: { team_ids: teamId, status: ['inprogress', 'suspended'] },
        order: { field: 'starts_at', direction: 'desc' },
        limit: MAX_IN_PLAY,
      },
    ]);
    const own = shown.get(id)?.eventId;
    const last = own === undefined ? undefined : await store.get<EventDocument>(events.name, String(own));
    // A game that was played long after its start is shown once it is over too.
    const isStillOwn = last && participatingTeamIds(last.document).includes(teamId);
    const found = [...near, ...inPlay, ...(isStillOwn ? [last] : [])];
    const byId = new Map(found.map((one) => [one.document.id, one]));
    return [...byId.values()].sort(({ document: a }, { document: b }) => startOf(a) - startOf(b) || a.id - b.id);
  }

  const failToRead = (error: Error): void => warn(`the state of a team could not be read: ${error.message}`);

  function refreshLater(id: number): void {
    if (changed.has(id)) return;
    changed.add(id);
    // A team that changes again while it is read is read once more.
    inTurn(() => {
      changed.delete(id);
      return showTeam(id);
    }).catch(failToRead);
  }

  async function showTeam(id: number): Promise<void> {
    const team = teams.get(id);
    if (!team) return;
    const games = (await gamesOf(team)).map(({ document }) => document);
    const eventId = chooseGame(games, now())?.id;
    const prices = eventId === undefined ? undefined : await store.get<OddsDocument>(odds.name, String(eventId));
    const state = JSON.stringify(describeTeam(team.teamId, games, prices?.document, now()));
    // It may mean another team by now: then it is read once more.
    if (teams.get(id) !== team || shown.get(id)?.state === state) return;
    shown.set(id, { eventId, state });
    publish(stateTopic(team), state, true);
  }

  function noteGame(game: EventDocument, position: bigint): void {
    for (const teamId of participatingTeamIds(game)) {
      for (const team of byTeam.get(teamId) ?? []) {
        const noted = { id: game.id, position, state: seenGame(game, teamId) };
        const waiting = learning.get(team.id);
        if (waiting) waiting.push(noted);
        else tell(team, noted);
        refreshLater(team.id);
      }
    }
  }

  /** Tells what happened since the game was seen last. */
  function tell(team: FollowedTeam, { id, state }: NotedGame): void {
    const happened = eventsBetween(seenBefore(team, id, state), state);
    for (const event_type of happened) {
      const message = { event_type, event_id: id, score: state.score };
      publish(eventTopic(team), JSON.stringify(message), false);
    }
    seen.set(`${team.id} ${id}`, state);
  }

  /** A game that was merged into this one was told already. */
  function seenBefore(team: FollowedTeam, id: number, state: SeenGame): SeenGame | undefined {
    const own = seen.get(`${team.id} ${id}`);
    const merged: SeenGame[] = [];
    for (const one of replacements.mergedInto('event', id)) {
      const key = `${team.id} ${one}`;
      const before = seen.get(key);
      if (before) merged.push(before);
      seen.delete(key);
    }
    return merged.find(({ status, score }) => status === state.status && score === state.score) ?? own ?? merged[0];
  }

  function noteShown(eventId: number): void {
    for (const [id, { eventId: own }] of shown) if (own === eventId) refreshLater(id);
  }

  const subscription = changes.subscribe(({ projection, changes: some }) => {
    const isNewAct = replacements.acts !== knownActs;
    // At once, so that the games below are those of the team that is meant now.
    if (isNewAct) followTeams().catch(failToRead);
    if (isNewAct || projection === teamDirectory.name) findTeamsLater();
    if (projection === events.name) {
      for (const { key, document, position } of some) {
        if (document) noteGame(document as EventDocument, position);
        else noteShown(Number(key));
      }
    } else if (projection === odds.name) {
      for (const { key } of some) noteShown(Number(key));
    }
  });

  let cancelLook = (): void => {};
  function lookLater(): void {
    cancelLook = setTimer(() => {
      for (const id of teams.keys()) refreshLater(id);
      // What could not be read before.
      for (const id of learning.keys()) inTurn(() => learnGames(id)).catch(failToRead);
      if (replacements.acts !== knownActs) findTeamsLater();
      lookLater();
    }, LOOK_EVERY_MS);
  }

  return {
    async start() {
      await findTeams();
      lookLater();
      for (const { sport, name } of unclear) {
        warn(`MQTT_TEAMS: no team, or several, of ${sport} are known as ${name}; it is followed once one is`);
      }
    },
    async close() {
      isClosed = true;
      cancelLook();
      subscription.unsubscribe();
      await inTurn(async () => {});
      if (client.connected) await client.publishAsync(AVAILABILITY_TOPIC, 'offline', { qos: 1, retain: true });
      await client.endAsync(true);
    },
  };
}
