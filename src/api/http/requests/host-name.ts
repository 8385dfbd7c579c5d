/** The host of a `Host` header without its port; an address of version 6 without brackets. Null where it is none. */
export function parseHostName(header: string | undefined): string | null {
  if (header === undefined || !/^[\w.:[\]-]+$/.test(header)) return null;
  try {
    return new URL(`http://${header}`).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return null;
  }
}
