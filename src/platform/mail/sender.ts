export interface MailAddress {
  /** Empty: there is none. */
  readonly name: string;
  readonly address: string;
}

/** An address, perhaps with a name before it, as it stands in `MAIL_FROM`: `Ledgerline <no-reply@sports.example>`. */
export function readSender(text: string): MailAddress {
  const [, quoted, plain, address] = /^(?:"([^"]*)"|([^<]*?))\s*<([^<>]*)>$/.exec(text) ?? [];
  return address === undefined ? { name: '', address: text } : { name: quoted ?? plain ?? '', address };
}

/** Where none is told. @param baseUrl the server's public address */
export function defaultSender(baseUrl: string): MailAddress {
  const { hostname } = new URL(baseUrl);
  // An address of version 6 is written otherwise in mail (RFC 5321, 4.1.3).
  const host = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : hostname;
  return { name: 'Ledgerline', address: `no-reply@${host}` };
}
