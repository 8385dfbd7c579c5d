import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  type InboundHttpRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { isObject, RpcError, type RpcRequest } from '../json-rpc.ts';

/** Versions of the protocol without `initialize`: every request carries its version. The newest first. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;

/** Error codes that the protocol defines since this revision. */
const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;
const INVALID_PARAMS = -32602;

const FIRST = '2026-07-28';
const IS_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a request belongs to the revision 2026-07-28 or a later one: its body or its header says so. */
export const isModern = (params: Readonly<Record<string, unknown>> | undefined, header: string | undefined): boolean =>
  claimedVersion(params) !== undefined || isModernHeader(header);

/** Versions are dates, which order as text. */
export const isModernHeader = (header: string | undefined): boolean =>
  header !== undefined && IS_DATE.test(header) && header >= FIRST;

function claimedVersion(params: Readonly<Record<string, unknown>> | undefined): unknown {
  const meta = params?.['_meta'];
  return isObject(meta) ? meta[PROTOCOL_VERSION_META_KEY] : undefined;
}

/**
 * Refuses a modern request whose `_meta` is not whole, whose version is not spoken, or whose headers say something else
 * than its body. The SDK knows the rules of the envelope and of the version header; those of the other headers it keeps
 * to its own HTTP handler, which cannot answer with our bytes (see `mcp-route.ts`).
 * @throws RpcError
 */
export function checkModernRequest(request: RpcRequest, headers: IncomingHttpHeaders): void {
  const { id } = request;
  const given = standardHeaders(headers);
  const outcome = classifyInboundRequest({ httpMethod: 'POST', ...given, body: request });
  if (outcome.kind === 'reject') {
    const { code, message, httpStatus: status, data } = outcome;
    throw new RpcError(code, message, { id, status, data });
  }
  // The SDK takes an `initialize` for legacy unless its envelope is whole.
  if (outcome.kind === 'legacy') {
    throw new RpcError(INVALID_PARAMS, '_meta must hold a version of the protocol and the client’s capabilities.', {
      id,
    });
  }
  const requested = outcome.classification.revision;
  if (!(MODERN_VERSIONS as readonly unknown[]).includes(requested)) {
    const data = { supported: MODERN_VERSIONS, requested };
    throw new RpcError(UNSUPPORTED_VERSION, `Version ${requested} is not spoken in this form.`, { id, data });
  }
  const mismatch = headerMismatch(request, given);
  if (mismatch !== undefined) throw new RpcError(HEADER_MISMATCH, `Header mismatch: ${mismatch}`, { id });
}

type StandardHeaders = Pick<InboundHttpRequest, 'protocolVersionHeader' | 'mcpMethodHeader' | 'mcpNameHeader'>;

function standardHeaders(headers: IncomingHttpHeaders): StandardHeaders {
  const of = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value.trim() : undefined;
  };
  const [protocolVersionHeader, mcpMethodHeader, mcpNameHeader] = [
    of('mcp-protocol-version'),
    of('mcp-method'),
    of('mcp-name'),
  ];
  return {
    ...(protocolVersionHeader === undefined ? {} : { protocolVersionHeader }),
    ...(mcpMethodHeader === undefined ? {} : { mcpMethodHeader }),
    ...(mcpNameHeader === undefined ? {} : { mcpNameHeader }),
  };
}

/** The member of the params that `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** What the headers say otherwise than the body, in words; undefined if they agree. */
function headerMismatch({ method, params = {} }: RpcRequest, given: StandardHeaders): string | undefined {
  const { protocolVersionHeader, mcpMethodHeader, mcpNameHeader } = given;
  if (protocolVersionHeader === undefined) return 'MCP-Protocol-Version is missing';
  if (mcpMethodHeader === undefined) return 'Mcp-Method is missing';
  const member = NAMED_BY[method];
  const value = member === undefined ? undefined : params[member];
  // A wrong or missing member is found later, as a wrong parameter.
  if (typeof value !== 'string') return undefined;
  if (mcpNameHeader === undefined) return `Mcp-Name is missing, params.${member} is there`;
  const decoded = decodeHeader(mcpNameHeader);
  if (decoded === undefined) return 'Mcp-Name is no Base64 of UTF-8';
  return decoded === value ? undefined : `Mcp-Name differs from params.${member}`;
}

const SENTINEL = /^=\?base64\?(.*)\?=$/s;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value of a header that may be written as `=?base64?...?=`; undefined if that is malformed. */
function decodeHeader(header: string): string | undefined {
  const encoded = SENTINEL.exec(header)?.[1];
  if (encoded === undefined) return header;
  if (!BASE64.test(encoded)) return undefined;
  try {
    return strictUtf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}
