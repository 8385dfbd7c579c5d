/**
 * The security headers of every page: load only from this server, no framing, no caching.
 * @param hosts of a payment provider, for the page that needs them
 */
export function pageHeaders(isSecure: boolean, hosts: readonly string[] = []): string[] {
  const also = hosts.map((host) => ` ${host}`).join('');
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'self'${also}`,
    `connect-src 'self'${also}`,
    ...(hosts.length > 0 ? [`frame-src${also}`] : []),
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return [
    ...['Content-Security-Policy', policy, ...SAME_FOR_ALL],
    ...(isSecure ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
  ];
}

const SAME_FOR_ALL = [
  ...['X-Content-Type-Options', 'nosniff'],
  // With `no-referrer`, browsers would send `Origin: null` with forms.
  ...['Referrer-Policy', 'same-origin'],
  ...['Cache-Control', 'no-store'],
];
