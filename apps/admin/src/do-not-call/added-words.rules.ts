/** Words for the result of an addition to the list. */
import { texts } from './texts.ts';

/** `12 numbers are on the list.` */
export function addedWords(added: number): string {
  if (added === 0) return texts.added.none;
  return added === 1 ? texts.added.one : texts.added.many(added);
}
