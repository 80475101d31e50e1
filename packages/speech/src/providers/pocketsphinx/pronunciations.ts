/** How English words sound, from the dictionary of 130 000 that comes with the model. Read once, 3 MB. */
import { readFile } from 'node:fs/promises';
import type { Pronounce } from './phrase-grammar.rules.ts';

/** @param file - lines `word PHONES` and `word(2) PHONES`, sorted */
export async function readPronunciations(file: string): Promise<Pronounce> {
  const text = `\n${await readFile(file, 'latin1')}`;
  return (word) => {
    const found: string[] = [];
    for (let way = 1; ; way++) {
      const head = `\n${word}${way === 1 ? '' : `(${way})`} `;
      const at = text.indexOf(head);
      if (at === -1) return found;
      found.push(text.slice(at + head.length, text.indexOf('\n', at + head.length)).trim());
    }
  };
}
