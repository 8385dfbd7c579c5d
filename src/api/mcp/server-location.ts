import { LEGACY_VERSIONS } from './legacy-versions.ts';
import { MODERN_VERSIONS } from './modern/modern-request.ts';

/**
 * What `/.well-known/mcp.json` tells: where the server of the Model Context Protocol is, and how it speaks.
 * @param baseUrl without a slash at its end
 */
export const serverLocation = (version: string, baseUrl: string) => ({
  name: 'ledgerline',
  version,
  url: `${baseUrl}/mcp`,
  transport: 'streamable_http',
  protocol_versions: [...MODERN_VERSIONS, ...LEGACY_VERSIONS],
});
