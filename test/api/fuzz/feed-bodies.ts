import { gzipSync } from 'node:zlib';
import type { Message } from '../../system/properties/small-server.ts';
import { type Draw, introductions, messageOf } from '../../system/properties/world.ts';
import { hostileJson, mutated } from './hostile.ts';
import type { Random } from './random.ts';

const BASES = introductions();

function drawn(random: Random): Draw {
  const below = random.below;
  return {
    kind: below(20),
    event: below(6),
    source: below(5),
    at: below(14),
    variant: below(64),
    other: below(64),
    turned: random.chance(0.5),
  };
}

/** A feed message, or nearly one. */
export function oneMessage(random: Random): Message {
  const base = random.chance(0.4) ? random.pick(BASES) : messageOf(drawn(random));
  return random.chance(0.15) ? base : mutated(base, random);
}

/** Text of a message; now and then no JSON, or JSON that only text can be. */
export function lineOf(random: Random): Buffer {
  const text = hostileJson(oneMessage(random));
  switch (random.below(14)) {
    case 0:
      return Buffer.from(text.slice(0, random.below(text.length)));
    case 1:
      return Buffer.from(text.replace(/\d+/, '1e999'));
    case 2:
      return Buffer.from(text.replace('{', `{"__proto__":{"kind":"score","status":"final"},`));
    case 3:
      return Buffer.from(text.replace('{', '{"kind":"odds","kind":"team",'));
    case 4: {
      const bytes = Buffer.from(text);
      bytes[random.below(bytes.length)] = random.below(256);
      return withoutLineFeeds(bytes);
    }
    case 5:
      return withoutLineFeeds(random.bytes(random.below(60)));
    case 6:
      return Buffer.concat([Buffer.from('\ufeff'), Buffer.from(text), Buffer.from('\r')]);
    default:
      return Buffer.from(text);
  }
}
const withoutLineFeeds = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => (byte === 10 ? 11 : byte)));

export interface Sent {
  readonly lines: readonly Buffer[];
  readonly body: Buffer;
  readonly headers: Record<string, string>;
  /** Whether the body can be read; what its lines are is another question. */
  readonly sound: boolean;
}

/** A body for the ingest endpoint. */
export function oneBody(random: Random): Sent {
  const lines = Array.from({ length: random.chance(0.7) ? 1 : 1 + random.below(6) }, () => lineOf(random));
  const asArray = random.chance(0.2);
  const plain = asArray
    ? Buffer.concat([
        Buffer.from('['),
        ...lines.flatMap((line, index) => (index > 0 ? [Buffer.from(','), line] : [line])),
        Buffer.from(']'),
      ])
    : Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const type = asArray ? 'application/json' : 'application/x-ndjson';
  if (!random.chance(0.15)) return { lines, body: plain, headers: { 'content-type': type }, sound: !asArray };
  const zipped = gzipSync(plain);
  const broken = random.chance(0.5);
  if (broken && random.chance(0.5)) zipped[random.below(zipped.length)]! ^= 1 + random.below(255);
  const body = broken ? zipped.subarray(0, random.below(zipped.length)) : zipped;
  return { lines, body, headers: { 'content-type': type, 'content-encoding': 'gzip' }, sound: !asArray && !broken };
}
