import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { spreadsheetToCsv } from './spreadsheet-csv.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
/** APPNOTE.TXT of ZIP, section 4.3.12: the entry before its name, and the "uncompressed size" in it. */
const DIRECTORY_ENTRY_BYTES = 46;
const SIZE_OFFSET = 24;
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** A file with one sheet, as Excel writes it. Style 1 is a date. @param shared - the text with the index 0 */
function workbook(rows: string, shared = ''): Uint8Array {
  const text = (content: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${content}`);
  return zipSync({
    '[Content_Types].xml': text(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    'xl/workbook.xml': text(
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Leads" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': text(
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ),
    'xl/styles.xml': text(
      `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    'xl/sharedStrings.xml': text(`<sst xmlns="${MAIN}"><si><t>${shared}</t></si></sst>`),
    'xl/worksheets/sheet1.xml': text(`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`),
  });
}

/** The same file, whose directory states another size of the unpacked sheet, which is its last entry. */
function claiming(file: Uint8Array, unpackedBytes: number): Uint8Array {
  const name = Buffer.from(file).lastIndexOf('xl/worksheets/sheet1.xml');
  new DataView(file.buffer, file.byteOffset).setUint32(
    name - DIRECTORY_ENTRY_BYTES + SIZE_OFFSET,
    unpackedBytes,
    true,
  );
  return file;
}

const textCell = (address: string, text: string) =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;

describe('an Excel file', () => {
  test('becomes CSV with the row numbers of the sheet', async () => {
    const rows = [
      `<row r="1">${textCell('A1', 'Telefon')}${textCell('B1', 'Name')}${textCell('C1', 'Since')}</row>`,
      `<row r="3"><c r="A3"><v>4930123456789</v></c>${textCell('B3', 'A "B", C')}<c r="C3" s="1"><v>45000</v></c></row>`,
    ];
    expect(await spreadsheetToCsv(workbook(rows.join('')))).toEqual({
      csv: '"Telefon","Name","Since"\r\n,,\r\n"4930123456789","A ""B"", C","2023-03-15"\r\n',
    });
  });

  test('with more than the library decompresses without a worker is read', async () => {
    const rows = Array.from(
      { length: 12_000 },
      (_, index) => `<row>${textCell(`A${index + 1}`, `${index}`)}</row>`,
    );
    const result = await spreadsheetToCsv(workbook(rows.join('')));
    expect('csv' in result && result.csv.split('\r\n').slice(-2)).toEqual(['"11999"', '']);
  });

  test('that unpacks to more than 128 MiB is refused before it is unpacked', async () => {
    expect(await spreadsheetToCsv(claiming(workbook(''), 129 * 1024 * 1024))).toEqual({ fault: 'too-large' });
  });

  test('with one cell at the far end of the sheet is refused', async () => {
    const rows = `<row r="1048576">${textCell('XFD1048576', 'x')}</row>`;
    expect(await spreadsheetToCsv(workbook(rows))).toEqual({ fault: 'too-large' });
  });

  test('that repeats a long text until it has more than 128 MiB is refused before all of it is there', async () => {
    const cells = Array.from({ length: 1_100 }, (_, at) => `<row><c r="A${at + 1}" t="s"><v>0</v></c></row>`);
    const text = 'x'.repeat(1024 * 1024);
    expect(await spreadsheetToCsv(workbook(cells.slice(0, 2).join(''), text))).toMatchObject({
      csv: expect.stringMatching(/^"x+"\r\n"x+"\r\n$/),
    });
    expect(await spreadsheetToCsv(workbook(cells.join(''), text))).toEqual({ fault: 'too-large' });
  });

  test('whose header understates the size of the sheet is refused', async () => {
    const file = workbook(`<row>${textCell('A1', 'x'.repeat(10_000))}</row>`);
    expect(await spreadsheetToCsv(claiming(file, 1000))).toEqual({ fault: 'unreadable' });
  });

  test.each([
    ['text', strToU8('phone,name')],
    ['an archive without a sheet', zipSync({ 'a.xml': strToU8('<a/>') })],
    ['nothing', new Uint8Array()],
  ])('is not %s', async (_, bytes) => {
    expect(await spreadsheetToCsv(bytes)).toEqual({ fault: 'unreadable' });
  });
});
