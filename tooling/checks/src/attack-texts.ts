/**
 * Texts that make a search slow when it can start at many positions: for each part of an expression, a text that the
 * expression matches up to that part, repeated. `/sip:[^@]*@/` gets `sip:sip:sip:…`, on which each start runs to the end.
 */
import { RegExpParser, type AST } from '@eslint-community/regexpp';

/** Characters that stand for a class; the first one that the class contains is used. */
const SAMPLES = Array.from('a0 /.-:=,;@"\'()<>[]{}!*+\t\n_A%&?~é\u{1F600}');
const ATTACK_LENGTH = 40_000;

/** @returns each distinct text once, at most a few dozen */
export function attackTexts(pattern: string, flags: string): string[] {
  const parser = new RegExpParser();
  const unicode = flags.includes('u');
  const { alternatives } = parser.parsePattern(pattern, 0, pattern.length, { unicode });
  const starts = new Set(alternatives.flatMap((alternative) => prefixesOf(alternative.elements, flags)));
  return [...starts].map((start) => start.repeat(Math.ceil(ATTACK_LENGTH / start.length)));
}

/** What the first elements match, the first two, and so on, without empty texts. */
function prefixesOf(elements: readonly AST.Element[], flags: string): string[] {
  const prefixes: string[] = [];
  let text = '';
  for (const element of elements) {
    text += sampleOf(element, flags);
    if (text !== '') prefixes.push(text);
  }
  return prefixes;
}

/** A short text that the element matches; empty for assertions and the like. */
function sampleOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case 'Quantifier':
      return sampleOf(element.element, flags).repeat(Math.max(1, element.min));
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map((inner) => sampleOf(inner, flags)).join('');
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterClass':
    case 'CharacterSet':
      return sampleOfClass(element.raw, flags);
    case 'Assertion':
    case 'Backreference':
    case 'ExpressionCharacterClass':
      return '';
  }
}

function sampleOfClass(raw: string, flags: string): string {
  const expression = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
  return SAMPLES.find((character) => expression.test(character)) ?? '';
}
