import { describe, expect, it } from 'vitest';
import { maskAddress, refuseAddress } from '../../../src/webhooks/formats/service-address.ts';

const ADDRESSES = [
  ['discord', 'https://discord.com/api/webhooks/1234567890/abcdefghWXYZ', 'https://discord.com/api/webhooks/…/…WXYZ'],
  [
    'discord',
    'https://discord.com/api/v10/webhooks/1/abcdefghWXYZ?thread_id=7',
    'https://discord.com/api/v10/webhooks/…/…WXYZ?thread_id=7',
  ],
  ['slack', 'https://hooks.slack.com/services/T01/B02/abcdefghWXYZ', 'https://hooks.slack.com/services/…/…/…WXYZ'],
  ['slack', 'https://chat.example.com/team/hooks/abcdefghWXYZ', 'https://chat.example.com/team/hooks/…WXYZ'],
  [
    'telegram',
    'https://api.telegram.org/bot123:abcdefghWXYZ/sendMessage?chat_id=-100',
    'https://api.telegram.org/bot…WXYZ/sendMessage?chat_id=-100',
  ],
  ['ntfy', 'https://ntfy.sh/my-topic-WXYZ', 'https://ntfy.sh/…WXYZ'],
  ['ntfy', 'https://ntfy.example.com/my-topic-WXYZ?auth=QmVhcmVyIHg', 'https://ntfy.example.com/…WXYZ?auth=…'],
] as const;

describe('the address of a service', () => {
  it.each(ADDRESSES)('%s %s is shown as %s', (format, url, shown) => {
    expect(refuseAddress(format, url)).toBeUndefined();
    expect(maskAddress(format, url)).toBe(shown);
  });

  it.each([
    ['discord', 'https://discord.com/api/webhooks/abc/token'],
    ['discord', 'https://discord.com/'],
    ['slack', 'https://hooks.slack.com/services/T01/B02'],
    ['telegram', 'https://api.telegram.org/bot123:abc/sendMessage'],
    ['telegram', 'https://api.telegram.org/bot123:abc/getUpdates?chat_id=1'],
    ['ntfy', 'https://ntfy.sh/a/b'],
    ['ntfy', 'https://ntfy.sh/'],
  ] as const)('%s has no %s, and shows nothing of it', (format, url) => {
    expect(refuseAddress(format, url)).toMatch(/^must be/);
    expect(maskAddress(format, url)).toBe(`${new URL(url).origin}/…`);
  });

  it('of a webhook, which has no secret, is shown whole', () => {
    expect(maskAddress('ledgerline', 'https://example.com/hook?x=1')).toBe('https://example.com/hook?x=1');
    expect(maskAddress('email', 'mailto:ann@a.example')).toBe('mailto:ann@a.example');
  });
});
