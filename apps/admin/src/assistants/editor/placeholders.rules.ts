/** The `{{variables}}` of a prompt. Their syntax is that of the conversation engine. */

const PLACEHOLDER = /\{\{([^{}|]{1,200})(?:\|([^{}]{0,1000}))?\}\}/gu;

/** A part of a text; a placeholder has a name. */
export interface TextPart {
  /** Offset in the text. */
  at: number;
  text: string;
  name?: string;
  /** The default of a placeholder for a variable without a value. */
  fallback?: string | undefined;
}

/** The parts of a text in order; together they are the text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push({ at: end, text: text.slice(end, match.index) });
    const [whole, name = '', fallback] = match;
    parts.push({ at: match.index, text: whole, name: name.trim(), fallback });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end) });
  return parts;
}

/** Whether a name or the beginning of its path (`customer` of `customer.city`) is among the known names. */
export function isKnown(name: string, known: ReadonlySet<string>): boolean {
  return known.has(name) || known.has(name.split('.')[0] ?? name);
}

/** Names of placeholders without default that have no value before the call, each once. */
export function unknownNames(text: string, known: ReadonlySet<string>): string[] {
  const names = partsOf(text).flatMap(({ name, fallback }) =>
    name === undefined || fallback !== undefined || isKnown(name, known) ? [] : [name],
  );
  return [...new Set(names)];
}
