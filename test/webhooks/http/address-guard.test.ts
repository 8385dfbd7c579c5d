import { BlockList } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../../src/webhooks/http/address-guard.ts';
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6 } from '../../../src/webhooks/http/forbidden-address-ranges.ts';
import { createWebhookClient } from '../../../src/webhooks/http/webhook-client.ts';

const guard = createAddressGuard([]);

/** Every address of a range, by its first and the number of bits that are free. */
function addressesOf(range: string): fc.Arbitrary<bigint> {
  const [text, length] = range.split('/') as [string, string];
  const v6 = text.includes(':');
  const first = v6 ? valueOfV6(text) : text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);
  const size = 1n << BigInt((v6 ? 128 : 32) - Number(length));
  return fc.oneof(fc.bigInt({ min: first, max: first + size - 1n }), fc.constantFrom(first, first + size - 1n));
}
/** Of the spellings that the table uses: groups, and `::` at the end or at the beginning. */
function valueOfV6(text: string): bigint {
  const [head, tail] = text.split('::') as [string, string];
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const all = [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
  return BigInt(`0x${all.map((group) => group.padStart(4, '0')).join('')}`);
}

const forbiddenV4 = fc.constantFrom(...FORBIDDEN_IPV4).chain(({ range }) => addressesOf(range));
const forbiddenV6 = fc.constantFrom(...FORBIDDEN_IPV6).chain(({ range }) => addressesOf(range));
const anyV4 = fc.bigInt({ min: 0n, max: 0xffff_ffffn });
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));

const dotted = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const hex = (value: bigint): string => `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
const full = (value: bigint): string => value.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':');

/** The forms that carry an IPv4 address, each with what stands around it free. */
const EMBEDDINGS: Readonly<Record<string, (v4: bigint, a: string, b: string) => string>> = {
  'IPv4-mapped': (v4) => `::ffff:${dotted(v4)}`,
  'IPv4-mapped, in groups': (v4) => `0:0:0:0:0:FFFF:${hex(v4)}`,
  'IPv4-compatible': (v4) => `::${dotted(v4)}`,
  'IPv4-translated': (v4) => `::ffff:0:${hex(v4)}`,
  NAT64: (v4) => `64:ff9b::${dotted(v4)}`,
  'NAT64 of a network': (v4, a) => `64:ff9b:1:${a}::${hex(v4)}`,
  '6to4': (v4, a, b) => `2002:${hex(v4)}:${a}::${b}`,
  'Teredo server': (v4, a, b) => `2001:0:${hex(v4)}:${a}::${b}`,
  'Teredo client': (v4, a, b) => `2001:0:808:808:${a}:${b}:${hex(v4 ^ 0xffff_ffffn)}`,
  ISATAP: (v4, a, b) => `2a00:${a}:${b}:1:0:5efe:${dotted(v4)}`,
  'ISATAP, universal': (v4, a, b) => `2a00:${a}:${b}:1:200:5efe:${hex(v4)}`,
};

describe('which addresses are forbidden', () => {
  it('every IPv4 address of a forbidden range, and no other', () => {
    const list = new BlockList();
    for (const { range } of FORBIDDEN_IPV4) list.addSubnet(range.split('/')[0]!, Number(range.split('/')[1]), 'ipv4');
    fc.assert(
      fc.property(fc.oneof(anyV4, forbiddenV4, neighbours), (value) => {
        expect(guard.refusal(dotted(value)) !== undefined).toBe(list.check(dotted(value), 'ipv4'));
      }),
      { numRuns: 3000 },
    );
  });

  it('every IPv6 address of a forbidden range', () => {
    fc.assert(
      fc.property(forbiddenV6, (value) => {
        expect(guard.refusal(full(value))).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('every IPv6 address outside 2000::/3', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        fc.pre(value >> 125n !== 1n);
        expect(guard.refusal(full(value))).toBeDefined();
      }),
    );
  });

  it.each(Object.entries(EMBEDDINGS))('a forbidden IPv4 address, as %s', (_name, embed) => {
    fc.assert(
      fc.property(forbiddenV4, group, group, (v4, a, b) => {
        expect(guard.refusal(embed(v4, a, b)), embed(v4, a, b)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it.each(['6to4', 'ISATAP', 'ISATAP, universal'])('but not a public one as %s', (name) => {
    fc.assert(
      fc.property(anyV4, group, (v4, a) => {
        fc.pre(guard.refusal(dotted(v4)) === undefined);
        expect(guard.refusal(EMBEDDINGS[name]!(v4, a, '1'))).toBeUndefined();
      }),
    );
  });

  it('however a URL spells the address', async () => {
    const client = createWebhookClient({ allow: [], resolve: async () => ['93.184.215.14'] });
    const part = (value: bigint, base: number) => ({ 8: '0', 10: '', 16: '0x' })[base] + value.toString(base);
    const base = fc.constantFrom(8, 10, 16);
    await fc.assert(
      fc.asyncProperty(
        forbiddenV4,
        fc.tuple(base, base, base, base),
        fc.integer({ min: 1, max: 4 }),
        async (v4, bases, parts) => {
          // The last part has the bits of all that are left out.
          const bits = BigInt(8 * (5 - parts));
          const leading = [24n, 16n, 8n].slice(0, parts - 1).map((shift) => (v4 >> shift) & 255n);
          const values = [...leading, v4 & ((1n << bits) - 1n)];
          const host = values.map((value, index) => part(value, bases[index]!)).join('.');
          expect(await client.check(`https://${host}/`), host).toEqual({
            refused: expect.stringMatching(/^must not lead/),
          });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('every forbidden address as what a name leads to, alone or among public ones', async () => {
    const address: fc.Arbitrary<string> = fc.oneof(forbiddenV4.map(dotted), forbiddenV6.map(full));
    const publicOnes: fc.Arbitrary<string[]> = fc.array(fc.constantFrom('93.184.215.14', '2a00:1450::1'));
    await fc.assert(
      fc.asyncProperty(address, publicOnes, fc.nat(), async (bad, good, at) => {
        const answer = good.toSpliced(at % (good.length + 1), 0, bad);
        const client = createWebhookClient({ allow: [], resolve: async () => answer });
        expect(await client.check('https://hooks.example/')).toEqual({
          refused: 'must lead to a public address',
        });
        expect(await client.post('https://hooks.example/', {}, Buffer.of())).toMatchObject({
          error: 'forbidden_address',
        });
      }),
    );
  });

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '2a00::1%eth0', '1.2.3.4 ', '[::1]', '::1/128'])(
    'what is no address: %j',
    (text) => {
      expect(guard.refusal(text)).toBe('no IP address');
    },
  );
});

describe('which addresses the operator allows', () => {
  const allowing = createAddressGuard(['10.1.0.0/16', '::ffff:10.2.0.0/112', 'fd00::/8']);

  it('those of the ranges, in IPv4 and IPv4-mapped alike', () => {
    fc.assert(
      fc.property(addressesOf('10.1.0.0/16'), (value) => {
        expect(allowing.refusal(dotted(value), true)).toBeUndefined();
        expect(allowing.refusal(`::ffff:${hex(value)}`, true)).toBeUndefined();
        expect(allowing.refusal(dotted(value + 0x1_0000n), true)).toBeUndefined();
        expect(allowing.refusal(dotted(value + 0x2_0000n), true)).toBeDefined();
        expect(allowing.refusal(`64:ff9b::${hex(value)}`, true)).toBeDefined();
      }),
    );
  });

  it('a range of IPv6 does not allow what its addresses carry', () => {
    expect(allowing.refusal('fd00::5efe:10.3.0.1')).toBe('a private-use address (RFC 1918)');
    expect(allowing.refusal('fd00::5efe:10.1.0.1')).toBeUndefined();
    expect(createAddressGuard(['64:ff9b::/96']).refusal('64:ff9b::a00:1')).toBe('a private-use address (RFC 1918)');
    expect(createAddressGuard(['64:ff9b::/96']).refusal('64:ff9b::808:808')).toBeUndefined();
    expect(createAddressGuard(['::1']).refusal('::1', true)).toBeUndefined();
  });

  it('all of IPv6 is not all of IPv4', () => {
    expect(createAddressGuard(['::/0']).refusal('10.0.0.1')).toBeDefined();
    expect(createAddressGuard(['::/0']).refusal('8.8.8.8', true)).toBeDefined();
    expect(createAddressGuard(['0.0.0.0/0']).refusal('10.0.0.1', true)).toBeUndefined();
    expect(createAddressGuard(['0.0.0.0/0']).refusal('fd00::1')).toBeDefined();
  });
});

describe('the networks of NAT64 of a network (RFC 6052, 2.2)', () => {
  const allowing = createAddressGuard(['64:ff9b:1::/48']);

  it.each([
    ['64:ff9b:1:a00:0:100::', 'a prefix of 48 bits'],
    ['64:ff9b:1:a:0:1::', 'a prefix of 56 bits'],
    ['64:ff9b:1:0:a:0:100:0', 'a prefix of 64 bits'],
    ['64:ff9b:1::a00:1', 'a prefix of 96 bits'],
  ])('%s carries a private address with %s', (address) => {
    expect(allowing.refusal(address)).toBeDefined();
  });

  it('a public address passes where the range is allowed', () => {
    expect(allowing.refusal('64:ff9b:1::808:808')).toBeUndefined();
  });
});

/** The addresses beside the ends of the ranges. */
const neighbours = fc.constantFrom(
  ...FORBIDDEN_IPV4.flatMap(({ range }) => {
    const [text, length] = range.split('/') as [string, string];
    const first = text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n);
    return [first - 1n, first + (1n << BigInt(32 - Number(length)))];
  }).filter((value) => value >= 0n && value <= 0xffff_ffffn),
);
