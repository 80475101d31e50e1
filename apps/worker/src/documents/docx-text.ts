/**
 * The text of a Word document (.docx, Office Open XML) as Markdown. The only file that uses the library, which reads
 * neither files nor addresses that a document names, and knows no entities but those of XML itself.
 */
import mammoth from 'mammoth';
import { htmlText } from './html-text.ts';

const MAX_ENTRIES = 5000;
/** The size of all parts together, unpacked. A document of a thousand pages has a few megabytes without its pictures. */
const MAX_UNPACKED_BYTES = 200 * 1024 * 1024;

const UNREADABLE = 'It is not a Word document that can be read.';

/** @throws Error with a sentence for the owner */
export async function docxText(content: Uint8Array): Promise<string> {
  const archive = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  refuseLarge(archive);
  try {
    const { value } = await mammoth.convertToHtml({ buffer: archive }, OPTIONS);
    return htmlText(value).text;
  } catch (error) {
    throw new Error(UNREADABLE, { cause: error });
  }
}

/** Pictures are left out before they are unpacked. */
const OPTIONS = {
  externalFileAccess: false,
  convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
};

/**
 * Reads the sizes that the directory of the archive states, before anything is unpacked. Wrong sizes are noticed by the
 * library afterwards, and meanwhile `extract-text.ts` limits the memory.
 *
 * End of central directory record (APPNOTE.TXT of ZIP, 4.3.16), little endian:
 *
 *     0        4              10       12     16       20
 *     +--------+--------------+--------+------+--------+-----
 *     | 50 4b  | disks, here  | number | size | offset | …
 *     | 05 06  |              | of all |      |        |
 *     +--------+--------------+--------+------+--------+-----
 *
 * Header of an entry in the central directory (4.3.12):
 *
 *     0        4      20       24       28     30      32        46
 *     +--------+------+--------+--------+------+-------+---------+------+-------+---------+
 *     | 50 4b  | …    | packed | size   | name | extra | comment | name | extra | comment |
 *     | 01 02  |      | size   |        | len. | len.  | len.    |      |       |         |
 *     +--------+------+--------+--------+------+-------+---------+------+-------+---------+
 */
function refuseLarge(archive: Buffer): void {
  const end = archive.lastIndexOf('PK\u{5}\u{6}', undefined, 'latin1');
  if (end === -1 || end + 22 > archive.length) throw new Error(UNREADABLE);
  const entries = archive.readUInt16LE(end + 10);
  let place = archive.readUInt32LE(end + 16);
  let bytes = 0;
  if (entries > MAX_ENTRIES) throw new Error(`It has more than ${MAX_ENTRIES} parts.`);
  for (let entry = 0; entry < entries; entry += 1) {
    if (place + 46 > archive.length || archive.readUInt32LE(place) !== 0x02_01_4b_50)
      throw new Error(UNREADABLE);
    bytes += archive.readUInt32LE(place + 24);
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(place + offset));
    place += lengths.reduce((sum, length) => sum + length, 46);
  }
  if (bytes > MAX_UNPACKED_BYTES)
    throw new Error(`Unpacked it is larger than ${MAX_UNPACKED_BYTES / 1024 ** 2} MiB.`);
}
