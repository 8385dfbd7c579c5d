import { describe, expect, it } from 'vitest';
import type { Invoice } from '../../../src/accounts/billing/model/billing-services.ts';
import { renderReceiptPdf } from '../../../src/accounts/billing/receipt-pdf.ts';
import { infoOf, linesOf } from './payments/pdf-text.ts';

const invoice = (more: Partial<Invoice> = {}): Invoice => ({
  id: 3,
  number: 'LL-2026-000003',
  accountId: 7,
  at: '2026-11-25T23:59:59.000Z',
  status: 'paid',
  line: '25,000 credits (Medium)',
  priceCents: 4000,
  discountCents: 1000,
  totalCents: 3000,
  currency: 'usd',
  customerName: 'Ada Lovelace',
  customerEmail: 'ada@example.org',
  card: 'Visa ending in 4242',
  isTest: false,
  ...more,
});
const linesFor = async (more: Partial<Invoice> = {}) =>
  linesOf(await renderReceiptPdf(invoice(more), { compress: false }));

describe('the receipt of an invoice', () => {
  it('shows who paid what, when, and with which card', async () => {
    expect(await linesFor()).toEqual([
      'Ledgerline',
      'Receipt LL-2026-000003',
      ...['Number', 'LL-2026-000003'],
      ...['Date (UTC)', '2026-11-25'],
      ...['Paid by', 'Ada Lovelace'],
      ...['E-mail', 'ada@example.org'],
      ...['Card', 'Visa ending in 4242'],
      ...['Currency', 'USD'],
      ...['25,000 credits (Medium)', '$40.00'],
      ...['Discount', '-$10.00'],
      ...['Total paid', '$30.00'],
    ]);
  });

  it('shows that no money moved only if none moved', async () => {
    expect(await linesFor({ isTest: true })).toContain('TEST: no money moved');
    expect((await linesFor()).join()).not.toContain('TEST');
  });

  it.each([
    ['eur', '40.00 EUR', '30.00 EUR'],
    ['jpy', '4,000 JPY', '3,000 JPY'],
    ['kwd', '4.000 KWD', '3.000 KWD'],
  ])('counts in the smallest unit of %s', async (currency, price, total) => {
    const lines = await linesFor({ currency });

    expect(lines).toContain(price);
    expect(lines).toContain(total);
  });

  it('is complete for an unknown customer and for a free purchase', async () => {
    const gone = { customerName: null, customerEmail: null, card: null, totalCents: 0, discountCents: 4000 };
    const lines = await linesFor(gone);

    expect(lines).toEqual(expect.arrayContaining(['account 7', 'none: nothing was to pay', '-$40.00', '$0.00']));
    expect(lines).not.toContain('E-mail');
  });

  it('gives the same bytes for the same invoice, at any time, and other bytes for another', async () => {
    const bytes = await renderReceiptPdf(invoice());

    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    expect(Buffer.from(await renderReceiptPdf(invoice())).equals(bytes)).toBe(true);
    expect(Buffer.from(await renderReceiptPdf(invoice({ id: 4, number: 'LL-2026-000004' }))).equals(bytes)).toBe(false);
  });

  it.each([
    ['Zoë Œuvré – “ß” €', 'Zoë Œuvré – “ß” €'],
    // In parts, as some keyboards type it.
    ['Zoe\u0308', 'Zoë'],
  ])('writes %s as it is', async (customerName, written) => {
    const lines = await linesFor({ customerName });

    expect(lines).toContain(written);
    expect(lines.join(' ')).not.toContain('font');
  });

  it.each([
    ['Łukasz Żółć', 'Lukasz Zólc'],
    ['Nguyễn Thị Định', 'Nguyen Thi Dinh'],
    ['王小', '[U+738B][U+5C0F]'],
    ['😀 ok', '[U+1F600] ok'],
    ['a\u0007b', 'a[U+0007]b'],
    ['\u202eevil', '[U+202E]evil'],
  ])('lets no character of %j vanish or become another one, and says so', async (customerName, written) => {
    const bytes = await renderReceiptPdf(invoice({ customerName }), { compress: false });
    const lines = linesOf(bytes);

    expect(lines).toContain(written);
    expect(lines.join(' ')).toContain('The font of this document lacks some characters');
    expect(infoOf(bytes, 'Subject')).toContain(customerName);
  });

  it('stays on its page with the longest name and address', async () => {
    const longest = { customerName: 'W'.repeat(100), customerEmail: `${'w'.repeat(242)}@example.org` };
    const bytes = await renderReceiptPdf(invoice(longest), { compress: false });

    expect(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/\/Type \/Page\n/g),
    ).toHaveLength(1);
    expect(linesOf(bytes).join('')).toContain('W'.repeat(100));
    expect(linesOf(bytes)).toContain('Total paid');
  });
});
