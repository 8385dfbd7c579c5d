import { describe, expect, it } from 'vitest';
import { parseKafkaAddress } from '../../../src/platform/settings/kafka-address.ts';

describe('the address of a broker', () => {
  it('names brokers, encryption and credentials', () => {
    expect(parseKafkaAddress('kafka://127.0.0.1:9092')).toEqual({ brokers: ['127.0.0.1:9092'] });
    expect(parseKafkaAddress('kafka://a:1,[::1]:2?tls=true&ca=%2Fca.pem')).toEqual({
      brokers: ['a:1', '[::1]:2'],
      tls: { ca: '/ca.pem' },
    });
    expect(parseKafkaAddress('kafka://us%40er:p%3Ass@a:1/?tls=true&sasl=scram-sha-512')).toEqual({
      brokers: ['a:1'],
      tls: {},
      sasl: { mechanism: 'scram-sha-512', username: 'us@er', password: 'p:ss' },
    });
    expect(parseKafkaAddress('kafka://u:p@a:1').sasl?.mechanism).toBe('plain');
  });

  it.each([
    'http://a:1',
    'kafka://',
    'kafka://a',
    'kafka://a:0',
    'kafka://a:70000',
    'kafka://a:1,',
    'kafka://a:1/topic',
    'kafka://a:1?tls=yes',
    'kafka://a:1?ca=file',
    'kafka://a:1?sasl=plain',
    'kafka://secret@a:1',
    'kafka://u:secret%@a:1',
    'kafka://u:secret@a:1?sasl=gssapi',
    'kafka://u:secret@a:1?acks=all',
    'kafka://u:secret@a:1?tls=true&tls=false',
  ])('%s is refused, without telling what is secret', (url) => {
    expect(() => parseKafkaAddress(url)).toThrow(RangeError);
    expect(() => parseKafkaAddress(url)).not.toThrow(/secret/);
  });
});
