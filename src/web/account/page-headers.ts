/**
 * What every page tells browsers: load nothing but from this server, stand in nobody's frame, keep nothing.
 * @param hosts a payment provider's, on the page that needs it
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
  // `no-referrer` would make browsers send `Origin: null` with forms.
  ...['Referrer-Policy', 'same-origin'],
  ...['Cache-Control', 'no-store'],
];
