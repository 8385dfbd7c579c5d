/**
 * The floor plan: folders by layer, the lowest first. A folder may import those of lower layers and itself, and
 * nothing beside it. `commands` and `projections` stand at the root of the project, all others in `src/`.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['domain', 'time', 'sql', 'data-folder', 'payments', 'client'],
  ['sqlite', 'postgres'],
  [
    'clock',
    'log',
    'redis',
    'identities',
    'settings',
    'mail',
    'commands',
    'projections',
    'query',
    'resolving',
    'intelligence',
  ],
  ['store', 'ingest', 'rendering', 'engines'],
  ['feeds', 'as-of', 'limits', 'slips', 'changes', 'broker'],
  ['forecasting', 'connectors'],
  ['calls', 'publishing'],
  ['accounts', 'operations', 'openapi', 'http', 'usage'],
  ['webhooks', 'streams', 'mcp', 'compat', 'docs-pages', 'metrics', 'client-generator', 'users'],
  ['web', 'sheet', 'record-page', 'site', 'control'],
  ['composition'],
  ['cluster'],
  ['cli'],
];
