/** The host of a `Host` header without its port; an IPv6 address without brackets. Null if it is not a host. */
export function parseHostName(header: string | undefined): string | null {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return null;
  try {
    return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return null;
  }
}
