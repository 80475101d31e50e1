/**
 * Fills the variables of a call into the owner's texts: `{{name}}`, `{{customer.city}}`, `{{name|default}}`. Each text is
 * processed once, so a value that looks like a placeholder stays text. Nothing is evaluated and only own properties are
 * read, so names such as `constructor` or `__proto__` are unknown names like any other.
 */

const PLACEHOLDER = /\{\{([^{}|]{1,200})(?:\|([^{}]{0,1000}))?\}\}/gu;

/**
 * Characters of all values in one text: a prompt may name a long variable thousands of times, and would have gigabytes. More
 * than the variables of a call have together.
 */
const MOST_FILLED = 200_000;

/** A text with its variables filled in. */
export interface InterpolatedText {
  text: string;
  /** Names without value or default, or whose value is too long for the text, each once; they are replaced by nothing. */
  unknownNames: string[];
}

/**
 * Replaces every placeholder of `template` once. Objects and lists are written as JSON.
 *
 * @param write - how to write a value in a text with its own syntax, such as a URL
 */
export function interpolate(
  template: string,
  variables: Readonly<Record<string, unknown>>,
  write: (value: string) => string = (value) => value,
): InterpolatedText {
  const unknownNames = new Set<string>();
  let left = MOST_FILLED;
  const text = template.replaceAll(PLACEHOLDER, (_whole, rawName: string, fallback: string | undefined) => {
    const name = rawName.trim();
    const value = textOf(findValue(variables, name));
    if (value.length > left) {
      unknownNames.add(name);
      return '';
    }
    left -= value.length;
    if (value !== '') return write(value);
    if (fallback === undefined) unknownNames.add(name);
    return write(fallback?.trim() ?? '');
  });
  return { text, unknownNames: [...unknownNames] };
}

/** A key that contains dots takes precedence over a path. */
function findValue(variables: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(variables, name)) return variables[name];
  let value: unknown = variables;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return typeof value === 'object' ? JSON.stringify(value) : '';
}
