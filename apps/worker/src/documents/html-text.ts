/** The text of a web page as Markdown: headings, paragraphs and lists. Scripts, styles and menus are left out. */
import { Parser } from 'htmlparser2';

/** A page that was read. */
export interface HtmlText {
  text: string;
  /** The targets of its links, as written. */
  links: string[];
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  'iframe',
  'nav',
  'noscript',
  'script',
  'style',
  'svg',
  'template',
]);
const BLOCKS: ReadonlySet<string> = new Set([
  'article',
  'aside',
  'blockquote',
  'dd',
  'div',
  'dl',
  'dt',
  'figcaption',
  'footer',
  'form',
  'header',
  'main',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'title',
  'ul',
]);
const HEADING = /^h([1-6])$/;
/** Links of one page. */
const MAX_LINKS = 2000;
/** Browsers nest 512 elements. The parser searches those that are open at every tag, so that a million of them take an hour. */
const MAX_DEPTH = 2000;

/**
 * Reads anything that a browser would: a fault in the markup is none.
 *
 * @throws Error with a sentence for the owner
 */
export function htmlText(html: string): HtmlText {
  const parts: string[] = [];
  const links: string[] = [];
  let depth = 0;
  let depthLeftOut = 0;
  const parser = new Parser({
    onopentag(name, { href }) {
      depth += 1;
      if (depth > MAX_DEPTH)
        throw new Error(`More than ${MAX_DEPTH} of its elements are open at the same time.`);
      if (LEFT_OUT.has(name)) depthLeftOut += 1;
      if (name === 'a' && href !== undefined && links.length < MAX_LINKS) links.push(href);
      if (depthLeftOut === 0) parts.push(before(name));
    },
    ontext(text) {
      if (depthLeftOut === 0) parts.push(text.replaceAll(/\s+/g, ' '));
    },
    onclosetag(name) {
      depth -= 1;
      if (LEFT_OUT.has(name)) depthLeftOut -= 1;
      else if (depthLeftOut === 0) parts.push(after(name));
    },
  });
  parser.write(html);
  parser.end();
  return { text: tidy(parts.join('')), links };
}

function before(name: string): string {
  const level = name === 'title' ? '1' : HEADING.exec(name)?.[1];
  if (level !== undefined) return `\n\n${'#'.repeat(Number(level))} `;
  if (name === 'br' || name === 'tr') return '\n';
  if (name === 'li') return '\n- ';
  if (name === 'td' || name === 'th') return ' ';
  return BLOCKS.has(name) ? '\n\n' : '';
}

function after(name: string): string {
  return BLOCKS.has(name) || HEADING.test(name) ? '\n\n' : '';
}

/** One space between words, at most one empty line between blocks, and no heading without words. */
function tidy(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/^#+ ?$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
