/** Text for a language model that describes keys, silence and unrecognised speech of the customer. */
import type { DialogueEntry } from '../ports.ts';

/** What the customer did. */
export type CustomerEntry = Extract<DialogueEntry, { role: 'customer' }>;

const WORDS_OF_KIND: Record<CustomerEntry['kind'], (text: string) => string> = {
  speech: (text) => text,
  dtmf: (text) => `[The customer pressed ${text} on the telephone's keypad.]`,
  unrecognised: () => '[The customer said something that could not be understood.]',
  silence: () => '[The customer says nothing.]',
};

/** One entry as the model reads it. */
export function customerWords({ kind, text }: CustomerEntry): string {
  return WORDS_OF_KIND[kind](text);
}
