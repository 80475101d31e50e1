/** Every text that a user reads lives in the `texts.ts` of its folder, so that one file per folder is translated. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

const SOURCE = import.meta.dirname;

/** Attributes with texts for users. */
const READ_ATTRIBUTES = new Set(
  'action alt aria-label description hint keep label otherwise placeholder question speaker subtitle text title'.split(
    ' ',
  ),
);

/** Constants of protocols and of the API that look like texts. */
const WIRE_WORDS = new Set([
  'AI assistant',
  'Caller ID',
  'Content-Type',
  'English',
  'Enter',
  'Escape',
  'Idempotency-Key',
  'Scripted dialogue (built in)',
]);

/** Files whose capitalised strings are names of components or typefaces. */
const WITHOUT_TEXTS = new Set(['router.tsx', 'theme.ts']);

const LETTER = /\p{L}/u;
/** A capitalised word, or two words in a row. */
const LOOKS_LIKE_TEXT = /^\p{Lu}\p{Ll}+(\P{L}|$)|\p{L}[,.;:]? \p{Ll}/u;

interface Node {
  type: string;
  [property: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** The text of a node that holds one; null for any other node. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'JSXText') return String(node['value']);
  if (node.type === 'TemplateElement') return (node['value'] as { raw: string }).raw;
  return null;
}

/** Whether the contents of a node are texts for users; undefined inherits from the parent. */
function isReadBelow(node: Node): boolean | undefined {
  if (node.type === 'JSXAttribute') return READ_ATTRIBUTES.has((node['name'] as { name: string }).name);
  if (node.type === 'JSXElement' || node.type === 'JSXFragment') return true;
  if (node.type === 'JSXOpeningElement') return false;
  return /^(Call|Member|Binary|ArrowFunction)Expression$/.test(node.type) ? false : undefined;
}

/** Collects the texts below a node that are written where they should not be. */
function collect(node: Node, isRead: boolean, found: string[]): void {
  if (node.type.startsWith('Import') || node.type.startsWith('TS')) {
    if (!/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
  }
  if (node.type === 'Property' && (node['key'] as { name?: string }).name === 'value') return;
  // The name of a component that is loaded later.
  if (node.type === 'CallExpression' && (node['callee'] as { name?: string }).name === 'later') return;
  const text = textOf(node)?.trim();
  if (text && !WIRE_WORDS.has(text) && (isRead ? LETTER : LOOKS_LIKE_TEXT).test(text)) found.push(text);
  const isReadNow = isReadBelow(node) ?? isRead;
  if (node.type === 'JSXAttribute' && !isReadNow && (node['value'] as Node | null)?.type === 'Literal')
    return;
  for (const part of Object.values(node).flat()) if (isNode(part)) collect(part, isReadNow, found);
}

function textsOutside(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  expect(errors).toEqual([]);
  const found: string[] = [];
  collect(program as unknown as Node, false, found);
  return found;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.tsx?$/.test(path),
);
const textFiles = files.filter((path) => basename(path) === 'texts.ts');
const sources = files.filter(
  (path) => !/\.test\.tsx?$|\.d\.ts$/.test(path) && basename(path) !== 'texts.ts' && !WITHOUT_TEXTS.has(path),
);

describe('the texts of the app', () => {
  it.each(sources)('%s contains no text', (path) => {
    expect(textsOutside(path, readFileSync(join(SOURCE, path), 'utf8'))).toEqual([]);
  });

  it.each(textFiles)(
    '%s refers to no file of the repository, which a user of the app does not have',
    (path) => {
      expect(readFileSync(join(SOURCE, path), 'utf8')).not.toMatch(
        /\b(docs|packages|apps|tooling)\/|\w\.md\b/,
      );
    },
  );
});

describe('the check itself', () => {
  it.each([
    ['a child', '<p>Hello</p>', ['Hello']],
    ['a chosen child', '<p>{isOn ? `on` : null}</p>', ['on']],
    ['an attribute', '<Field label="name" />', ['name']],
    ['a table of labels', "[{ value: 'a', label: 'Some name' }]", ['Some name']],
    ['no class name, path or key', '<a href="/x" className="big red">{texts[`a`]}</a>', []],
  ])('finds %s', (_, source, found) => {
    expect(textsOutside('a.tsx', source)).toEqual(found);
  });
});
