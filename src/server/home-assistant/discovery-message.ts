import type { FollowedTeam } from './followed-teams.ts';
import { GAME_EVENTS } from './team-game.ts';

type Device = Pick<FollowedTeam, 'id'>;

/** All topics of this server; one server a broker. */
export const AVAILABILITY_TOPIC = 'ledgerline/availability';
export const stateTopic = ({ id }: Device): string => `ledgerline/team/${id}/state`;
export const eventTopic = ({ id }: Device): string => `ledgerline/team/${id}/event`;
export const discoveryTopic = ({ id }: Device): string => `homeassistant/device/ledgerline_team_${id}/config`;

const SENSORS = {
  state: { name: 'State', icon: 'mdi:scoreboard' },
  score: { name: 'Score', icon: 'mdi:counter' },
  opponent: { name: 'Opponent', icon: 'mdi:shield-outline' },
  next_game: { name: 'Next game', device_class: 'timestamp' },
  clock: { name: 'Clock', icon: 'mdi:timer-outline' },
  odds: { name: 'Odds', icon: 'mdi:percent-outline' },
} as const;

/**
 * A team as a device with its sensors and its events, in one message.
 * Source: Home Assistant, MQTT, device discovery (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
 */
export function discoveryMessage(
  team: FollowedTeam,
  server: { readonly version: string; readonly url: string },
): Readonly<Record<string, unknown>> {
  const uniqueId = (key: string) => `ledgerline_team_${team.id}_${key}`;
  const sensors = Object.entries(SENSORS).map(([key, details]) => [
    key,
    {
      platform: 'sensor',
      unique_id: uniqueId(key),
      ...details,
      state_topic: stateTopic(team),
      // Home Assistant shows the word None as an unknown state.
      value_template: `{{ value_json.${key} }}`,
    },
  ]);
  return {
    device: {
      identifiers: [`ledgerline_team_${team.id}`],
      name: team.name,
      manufacturer: 'Ledgerline',
      model: team.sport,
      sw_version: server.version,
      configuration_url: server.url,
    },
    origin: { name: 'Ledgerline', sw_version: server.version, support_url: server.url },
    components: {
      ...Object.fromEntries(sensors),
      game: {
        platform: 'event',
        unique_id: uniqueId('game'),
        name: 'Game',
        icon: 'mdi:whistle',
        event_types: [...GAME_EVENTS],
        state_topic: eventTopic(team),
      },
    },
    availability_topic: AVAILABILITY_TOPIC,
    qos: 1,
  };
}
