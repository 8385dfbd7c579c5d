import { expect } from 'vitest';
import { GAME_EVENTS } from '../../../src/server/home-assistant/team-game.ts';

/**
 * The members that Home Assistant takes in the discovery message of a device, and those that it demands.
 * Sources: the tables "Configuration variables" of https://www.home-assistant.io/integrations/sensor.mqtt/ and
 * https://www.home-assistant.io/integrations/event.mqtt/, and "Device discovery payload" of
 * https://www.home-assistant.io/integrations/mqtt/. What their code takes is in `schemas.py`, `event.py` and `sensor.py`
 * of https://github.com/home-assistant/core/tree/dev/homeassistant/components/mqtt.
 */
interface Members {
  readonly required: readonly string[];
  readonly allowed: readonly string[];
}

const AVAILABILITY = [
  ...['availability', 'availability_mode', 'availability_template', 'availability_topic'],
  ...['payload_available', 'payload_not_available'],
];
/** In a device's message every entity needs a platform and an id of its own. */
const ENTITY: Members = {
  required: ['platform', 'unique_id', 'state_topic'],
  allowed: [
    ...AVAILABILITY,
    ...['default_entity_id', 'device_class', 'enabled_by_default', 'encoding', 'entity_category', 'entity_picture'],
    ...['group', 'icon', 'json_attributes_template', 'json_attributes_topic', 'name', 'qos', 'value_template'],
  ],
};
const COMPONENTS: Readonly<Record<string, Members>> = {
  sensor: {
    required: ENTITY.required,
    allowed: [
      ...ENTITY.allowed,
      ...['expire_after', 'force_update', 'last_reset_value_template', 'options', 'state_class'],
      ...['suggested_display_precision', 'unit_of_measurement'],
    ],
  },
  event: { required: [...ENTITY.required, 'event_types'], allowed: ENTITY.allowed },
};
const MESSAGE: Members = {
  required: ['device', 'origin', 'components'],
  allowed: [...AVAILABILITY, 'command_topic', 'encoding', 'qos', 'state_topic'],
};
const DEVICE: Members = {
  // Identifiers or connections; this server has no connections.
  required: ['identifiers'],
  allowed: [
    ...['configuration_url', 'connections', 'hw_version', 'manufacturer', 'model', 'model_id', 'name'],
    ...['serial_number', 'suggested_area', 'sw_version', 'via_device'],
  ],
};
const ORIGIN: Members = { required: ['name'], allowed: ['sw_version', 'support_url'] };

function checkMembers(what: string, value: object, { required, allowed }: Members): void {
  const names = Object.keys(value);
  expect([what, required.filter((name) => !names.includes(name))]).toEqual([what, []]);
  expect([what, names.filter((name) => !required.includes(name) && !allowed.includes(name))]).toEqual([what, []]);
}

/** What Home Assistant demands of the discovery message of a device. */
export function checkDiscovery(message: any): void {
  checkMembers('message', message, MESSAGE);
  checkMembers('device', message.device, DEVICE);
  checkMembers('origin', message.origin, ORIGIN);
  for (const url of [message.device.configuration_url, message.origin.support_url]) {
    expect(url).toMatch(/^(https?|homeassistant):\/\//);
  }
  expect(message.device).toMatchObject({ identifiers: [expect.any(String)], name: expect.any(String) });
  expect(message.origin).toMatchObject({ name: 'Ledgerline' });
  expect(message.availability_topic).toBe('ledgerline/availability');
  const parts = Object.entries<any>(message.components);
  expect(new Set(parts.map(([, { unique_id }]) => unique_id)).size).toBe(parts.length);
  for (const [name, part] of parts) {
    expect(Object.keys(COMPONENTS)).toContain(part.platform);
    checkMembers(name, part, COMPONENTS[part.platform]!);
    // No wildcards: a state topic of these is one topic.
    expect(part.state_topic).toMatch(/^[^#+]+$/);
    expect(part.icon ?? 'mdi:none').toMatch(/^mdi:/);
    if (part.platform === 'sensor') expect(part.value_template).toMatch(/^\{\{ value_json\.\w+ \}\}$/);
    else expect(part.event_types).toEqual([...GAME_EVENTS]);
  }
  expect(Object.keys(message.components)).toEqual(['state', 'score', 'opponent', 'next_game', 'clock', 'odds', 'game']);
}
