/** The thread that turns one file into text: `extract-text.ts` starts it and limits its time and memory. */
import { parentPort, workerData } from 'node:worker_threads';
import { htmlText } from './html-text.ts';
import { pdfText } from './pdf-text.ts';
import type { Extract, FileToExtract } from './extract-text.ts';

const file = workerData as FileToExtract;
parentPort?.postMessage(cut(await extract(file), file), []);

/** One character more than allowed shows that the text is too long; the rest is not copied. */
function cut(found: Extract, { maxCharacters }: FileToExtract): Extract {
  return 'failure' in found ? found : { ...found, text: found.text.slice(0, maxCharacters + 1) };
}

async function extract({ type, content, maxCharacters }: FileToExtract): Promise<Extract> {
  try {
    if (type === 'pdf') return { text: clean(await pdfText(content, maxCharacters)), links: [] };
    if (type === 'docx') {
      // Loaded here only, because the library is large.
      const { docxText } = await import('./docx-text.ts');
      return { text: clean(await docxText(content)), links: [] };
    }
    const text = decode(content);
    if (type !== 'html') return { text: clean(text), links: [] };
    const page = htmlText(text);
    return { text: clean(page.text), links: page.links };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : 'It cannot be read.' };
  }
}

/** UTF-8, or the encoding that older programs use where it is not valid UTF-8. */
function decode(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('windows-1252').decode(content);
  }
}

/** Postgres cannot store NUL. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim();
}
