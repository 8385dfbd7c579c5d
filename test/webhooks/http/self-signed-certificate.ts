import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that signs itself, with its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Made by hand, in DER (X.690) as RFC 5280 has it, since Node reads certificates and makes none.
 * @param host the name, or the IPv4 address, that it is for
 */
export function selfSigned(host: string, { from = '200101000000Z', until = '491231235959Z' } = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(85, 4, 3), der(0x0c, Buffer.from('test')))));
  const byAddress = /^[\d.]+$/.test(host);
  const altName = byAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));
  const ecdsaWithSha256 = sequence(oid(42, 134, 72, 206, 61, 4, 3, 2));
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(der(0x17, Buffer.from(from)), der(0x17, Buffer.from(until))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid(85, 29, 17), der(0x04, sequence(altName))))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const whole = sequence(toBeSigned, ecdsaWithSha256, der(0x03, Buffer.of(0), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}
const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
const integer = (value: number): Buffer => der(0x02, Buffer.of(value));
/** @param bytes of the identifier as they are encoded */
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
