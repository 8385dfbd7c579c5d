import { formatMoney } from './format-money.ts';
import type { Invoice } from './model/billing-services.ts';

const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
/** Where the column of values begins. */
const VALUES = 130;
const AMOUNTS = 140;
const INK = '#1a1d21';
const SOFT = '#5b636d';

/**
 * Renders the receipt of a paid invoice, one A4 page. The same invoice gives the same bytes.
 * @param compress false: the text is readable in the bytes
 */
export async function renderReceiptPdf(invoice: Invoice, { compress = true } = {}): Promise<Uint8Array> {
  // The library is large: load it only when a receipt is requested.
  const { default: PDFDocument } = await import('pdfkit');
  const { number, at, customerName, customerEmail, line } = invoice;
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    compress,
    lang: 'en',
    displayTitle: true,
    // Readers show these properties with all characters, even those that the fonts lack.
    info: {
      Title: `Receipt ${number}`,
      Author: 'Ledgerline',
      Subject: [customerName, customerEmail, line].filter((text) => text !== null).join(', '),
      CreationDate: new Date(at),
    },
  });
  const written = collectBytes(pdf);
  draw(pdf, invoice);
  pdf.end();
  return written;
}

function draw(pdf: PDFKit.PDFDocument, invoice: Invoice): void {
  const { number, at, line, priceCents, discountCents, totalCents, currency, card, isTest } = invoice;
  const { accountId, customerName: name, customerEmail: email } = invoice;
  let isExact = true;
  const inFont = (given: string): string => {
    const known = encodeForPdfFont(given);
    isExact &&= known.isExact;
    return known.text;
  };
  const money = (cents: number) => formatMoney(cents, currency);

  pdf.font('Helvetica').fontSize(10).fillColor(SOFT).text('Ledgerline');
  pdf.moveDown(0.4).font('Helvetica-Bold').fontSize(22).fillColor(INK).text(`Receipt ${number}`);
  if (isTest) pdf.moveDown(0.4).fontSize(12).fillColor('#a3341f').text('TEST: no money moved');
  pdf.moveDown(1.5);

  const fact = (name: string, value: string) => {
    const y = pdf.y;
    pdf
      .font('Helvetica')
      .fontSize(10)
      .fillColor(SOFT)
      .text(name, MARGIN, y, { width: VALUES - 10 });
    pdf.fillColor(INK).text(value, MARGIN + VALUES, y, { width: WIDTH - VALUES });
    pdf.moveDown(0.5);
  };
  fact('Number', number);
  fact('Date (UTC)', new Date(at).toISOString().slice(0, 10));
  fact('Paid by', inFont(name ?? email ?? `account ${accountId}`));
  if (name !== null && email !== null) fact('E-mail', inFont(email));
  fact('Card', inFont(card ?? (totalCents === 0 ? 'none: nothing was to pay' : 'not known')));
  fact('Currency', currency.toUpperCase());
  pdf.moveDown(1.5);

  const rule = () => {
    pdf
      .moveTo(MARGIN, pdf.y)
      .lineTo(MARGIN + WIDTH, pdf.y)
      .lineWidth(0.5)
      .strokeColor('#c4cad1')
      .stroke();
    pdf.moveDown(0.7);
  };
  const row = (text: string, amount: string, font: 'Helvetica' | 'Helvetica-Bold' = 'Helvetica') => {
    const y = pdf.y;
    pdf
      .font(font)
      .fontSize(11)
      .fillColor(INK)
      .text(text, MARGIN, y, { width: WIDTH - AMOUNTS - 10 });
    const below = pdf.y;
    pdf.text(amount, MARGIN + WIDTH - AMOUNTS, y, { width: AMOUNTS, align: 'right' });
    pdf.y = Math.max(below, pdf.y);
    pdf.moveDown(0.6);
  };
  rule();
  row(inFont(line), money(priceCents));
  row('Discount', money(discountCents === 0 ? 0 : -discountCents));
  rule();
  row('Total paid', money(totalCents), 'Helvetica-Bold');

  if (isExact) return;
  const note =
    'The font of this document lacks some characters: a letter stands without its mark, or a character as its code ' +
    'point. The properties of the document have them as they are.';
  pdf.moveDown(2).font('Helvetica').fontSize(9).fillColor(SOFT).text(note, MARGIN, pdf.y, { width: WIDTH });
}

function collectBytes(pdf: PDFKit.PDFDocument): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}

/**
 * Encodes text for the standard PDF fonts, which have only the characters of Windows-1252. A letter with a mark becomes
 * the plain letter; any other character becomes its code point (`[U+738B]`).
 */
export function encodeForPdfFont(text: string): { readonly text: string; readonly isExact: boolean } {
  const written = [...text.normalize('NFC')].map(encodeCharacter).join('');
  return { text: written, isExact: written === text.normalize('NFC') };
}

/** The characters of Windows-1252 outside ASCII and Latin-1. */
const WINDOWS_1252_EXTRAS = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Letters that Unicode does not decompose into a letter and a mark. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ł: 'L',
  ł: 'l',
  Ŧ: 'T',
  ŧ: 't',
};

function encodeCharacter(character: string): string {
  if (isKnown(character)) return character;
  const [base = '', ...marks] = character.normalize('NFD');
  if (marks.length > 0 && isKnown(base) && marks.every((mark) => /\p{M}/u.test(mark))) return base;
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return BASE_LETTERS[character] ?? `[U+${code}]`;
}

function isKnown(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || WINDOWS_1252_EXTRAS.has(character);
}
