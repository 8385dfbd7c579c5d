/**
 * The floor plan: the rooms of the source, from the ground up, and for each which others it may import. A room imports
 * only rooms that stand above it in this list. `commands` and `projections` stand at the root of the project, all others
 * in `src/`.
 */
export const ROOMS = {
  domain: [],
  platform: ['domain'],
  intelligence: ['domain'],
  text: ['domain'],
  commands: ['domain'],
  projections: ['domain'],
  'event-log': ['domain', 'platform'],
  ingest: ['domain', 'platform', 'commands', 'event-log'],
  'read-models': ['domain', 'platform', 'intelligence', 'projections', 'event-log'],
  sources: ['domain', 'platform', 'projections', 'ingest', 'read-models'],
  forecasting: ['domain', 'platform', 'intelligence', 'projections', 'event-log', 'read-models'],
  messaging: ['domain', 'platform', 'event-log', 'ingest', 'read-models'],
  api: [
    ...['domain', 'platform', 'intelligence', 'text', 'projections', 'event-log', 'ingest', 'read-models', 'sources'],
    'forecasting',
  ],
  accounts: ['domain', 'platform', 'commands', 'projections', 'event-log', 'read-models', 'api'],
  webhooks: ['domain', 'platform', 'intelligence', 'projections', 'event-log', 'read-models', 'api', 'accounts'],
  web: ['domain', 'platform', 'intelligence', 'projections', 'event-log', 'read-models', 'api', 'accounts'],
  server: [
    ...['domain', 'platform', 'intelligence', 'text', 'commands', 'projections', 'event-log', 'ingest', 'read-models'],
    ...['sources', 'forecasting', 'messaging', 'api', 'accounts', 'webhooks', 'web'],
  ],
} satisfies Readonly<Record<string, readonly string[]>>;

export type Room = keyof typeof ROOMS;

export const ROOM_NAMES = Object.keys(ROOMS) as Room[];

/** The rooms by layer, the lowest first: a room stands one layer above the highest of those that it imports. */
export const ROOM_LAYERS: readonly (readonly Room[])[] = ROOM_NAMES.reduce<Room[][]>((layers, room) => {
  const imported: readonly string[] = ROOMS[room];
  const layer = 1 + layers.findLastIndex((rooms) => rooms.some((other) => imported.includes(other)));
  return layers.toSpliced(layer, 1, [...(layers[layer] ?? []), room]);
}, []);
