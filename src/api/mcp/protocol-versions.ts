import { RpcError } from './json-rpc.ts';

/** Versions of the protocol that are spoken, the newest first. The SDK would also take one that never was final here. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The one that the server is described by. */
export const DESCRIBED_VERSION = '2025-06-18';

const isKnown = (version: string): boolean => (PROTOCOL_VERSIONS as readonly string[]).includes(version);

/** The one that is agreed on with a client that asks for this one. */
export const negotiateVersion = (asked: string): string => (isKnown(asked) ? asked : PROTOCOL_VERSIONS[0]);

const UNSUPPORTED = -32000;

/**
 * Answers do not differ between versions, but a client that goes by another one must be told.
 * @param header of the request; undefined where it has none
 * @throws RpcError
 */
export function checkVersion(header: string | undefined, id: string | number | null): void {
  if (header === undefined || isKnown(header)) return;
  throw new RpcError(UNSUPPORTED, `MCP-Protocol-Version must be one of ${PROTOCOL_VERSIONS.join(', ')}.`, id);
}
