/** The text of a PDF. The only file that uses the library. */
import { getDocumentProxy } from 'unpdf';

const MAX_PAGES = 2000;

/**
 * Pages after `maxCharacters` are not read.
 *
 * @throws Error with a sentence for the owner
 */
export async function pdfText(content: Uint8Array, maxCharacters: number): Promise<string> {
  const pdf = await open(content);
  if (pdf.numPages > MAX_PAGES) throw new Error(`It has more than ${MAX_PAGES} pages.`);
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages && characters <= maxCharacters; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    pages.push(text.trim());
    characters += text.length;
  }
  return pages.filter((text) => text !== '').join('\n\n');
}

async function open(content: Uint8Array) {
  try {
    return await getDocumentProxy(content);
  } catch (error) {
    const isProtected = error instanceof Error && error.name === 'PasswordException';
    throw new Error(
      isProtected ? 'The PDF is protected by a password.' : 'It is not a PDF that can be read.',
      {
        cause: error,
      },
    );
  }
}
