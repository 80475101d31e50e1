/** Finds the words of a text in the words that a voice has reported, which may be cut and punctuated differently. */

/** A word and the samples of its chunk's audio that contain it. */
export interface SpokenWord {
  text: string;
  start: number;
  end: number;
}

/**
 * The positions of the first words of a text, one for each, up to the first word that is not found.
 *
 * @param words - of the text
 * @param spoken - as the voice reported them, in order
 */
export function wordSpans(
  words: readonly string[],
  spoken: readonly SpokenWord[],
): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let next = 0;
  for (const word of words) {
    const wanted = lettersOf(word);
    let found = '';
    const first = next;
    while (next < spoken.length && found.length < wanted.length)
      found += lettersOf(spoken[next++]?.text ?? '');
    // Punctuation that stands alone makes no sound, and is no word of some voices.
    if (found === '' && lettersOf(spoken[next]?.text ?? 'a') === '') next += 1;
    if (found !== wanted) break;
    const { end } = spoken[next - 1] ?? spans.at(-1) ?? { end: 0 };
    spans.push({ start: spoken[first] && next > first ? spoken[first].start : end, end });
  }
  return spans;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
