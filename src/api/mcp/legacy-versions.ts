import { RpcError } from './json-rpc.ts';

/**
 * Supported versions of the protocol that begin with `initialize`, the newest first. The SDK would also accept one that
 * was never final.
 */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The version in the server's description. */
export const DESCRIBED_VERSION = '2025-06-18';

const isKnown = (version: string): boolean => (LEGACY_VERSIONS as readonly string[]).includes(version);

/** The version agreed on with a client that requests this one. */
export const negotiateVersion = (requested: string): string => (isKnown(requested) ? requested : LEGACY_VERSIONS[0]);

const UNSUPPORTED = -32000;

/**
 * Answers are the same for all versions, but an unknown version must be refused.
 * @param header of the request; undefined without one
 * @throws RpcError
 */
export function checkVersion(header: string | undefined, id: string | number | null): void {
  if (header === undefined || isKnown(header)) return;
  throw new RpcError(UNSUPPORTED, `MCP-Protocol-Version must be one of ${LEGACY_VERSIONS.join(', ')}.`, { id });
}
