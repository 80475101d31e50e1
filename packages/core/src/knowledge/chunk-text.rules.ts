/**
 * Divides the text of a document into passages of limited length, at the best boundary: between paragraphs, then between
 * sentences, then between words. A Markdown heading begins a passage and is repeated in the later passages of its section,
 * so that a passage says what it is about.
 */

/** Characters of a passage, without its heading. */
const MAX_PASSAGE = 1000;
const MAX_HEADING = 200;

const HEADING = /^#{1,6}\s+\S/;

/** The passages in order; none is empty. */
export function chunkText(text: string): string[] {
  const passages: string[] = [];
  let heading = '';
  let open: string[] = [];
  let length = 0;

  const close = (): void => {
    const body = open.join('\n\n');
    open = [];
    length = 0;
    if (body !== '') passages.push(heading === '' ? body : `${heading}\n\n${body}`);
  };

  for (const paragraph of paragraphsOf(text)) {
    if (HEADING.test(paragraph)) {
      close();
      heading = paragraph.slice(0, MAX_HEADING);
      continue;
    }
    for (const piece of pieces(paragraph)) {
      if (length + piece.length > MAX_PASSAGE) close();
      open.push(piece);
      length += piece.length;
    }
  }
  close();
  return passages;
}

/** Blocks between empty lines. A heading is a block of its own. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = [];
  for (const block of text.replaceAll(/\r\n?/g, '\n').split(/\n[\t ]*\n/)) {
    let lines: string[] = [];
    for (const line of block.split('\n')) {
      if (!HEADING.test(line)) {
        lines.push(line);
        continue;
      }
      paragraphs.push(lines.join('\n'), line);
      lines = [];
    }
    paragraphs.push(lines.join('\n'));
  }
  return paragraphs.map((paragraph) => paragraph.trim()).filter((paragraph) => paragraph !== '');
}

/** A paragraph in pieces that fit into a passage. */
function pieces(paragraph: string): string[] {
  if (paragraph.length <= MAX_PASSAGE) return [paragraph];
  const parts: string[] = [];
  let rest = paragraph;
  while (rest.length > MAX_PASSAGE) {
    const end = cutAt(rest);
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trimStart();
  }
  parts.push(rest);
  return parts.filter((part) => part !== '');
}

/** Where the first piece of a text ends: after its last sentence, line or word that fits. */
function cutAt(text: string): number {
  const head = text.slice(0, MAX_PASSAGE);
  for (const boundary of [/[.!?。！？]["'”»)]*\s/gu, /\n/gu, /\s/gu]) {
    const last = [...head.matchAll(boundary)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end > MAX_PASSAGE / 2) return end;
  }
  // Never between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(head) ? MAX_PASSAGE - 1 : MAX_PASSAGE;
}
