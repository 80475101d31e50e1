import { MAX_FILE_BYTES } from '@parley/contracts';
import { expect, test } from 'vitest';
import { documentFaults, emptyDocument, fileType, websiteOf } from './document-draft.rules.ts';
import { texts } from './texts.ts';

test('the type of a file is that of its ending', () => {
  expect(['a.PDF', 'a.b.md', 'a.htm', 'notes.txt'].map(fileType)).toEqual(['pdf', 'md', 'html', 'txt']);
  expect(['a.doc', 'pdf', '', '.'].map(fileType)).toEqual([null, null, null, null]);
});

test('only the chosen source is required', () => {
  expect(documentFaults(emptyDocument)).toEqual({
    name: texts.form.nameMissing,
    text: texts.form.text.missing,
  });
  const named = { ...emptyDocument, name: 'Menu' };
  expect(documentFaults({ ...named, text: 'Soup' })).toEqual({});
  expect(documentFaults({ ...named, source: 'website' })).toEqual({ url: texts.form.url.missing });
  expect(documentFaults({ ...named, source: 'file' })).toEqual({ file: texts.form.file.missing });
});

test('a file has a type that the server reads and a limited size', () => {
  const chosen = (name: string, size: number) =>
    documentFaults({ ...emptyDocument, name: 'Menu', source: 'file', file: { name, size } as File });
  expect(chosen('menu.pdf', MAX_FILE_BYTES)).toEqual({});
  expect(chosen('menu.pdf', MAX_FILE_BYTES + 1)).toEqual({ file: texts.form.file.tooLarge });
  expect(chosen('menu.doc', 1)).toEqual({ file: texts.form.file.unknown });
});

test('a website is sent with a limit only when one is entered', () => {
  const draft = { ...emptyDocument, name: ' Menu ', url: ' https://example.com ' };
  expect(websiteOf(draft)).toEqual({ name: 'Menu', type: 'website', url: 'https://example.com' });
  expect(websiteOf({ ...draft, relative_links_limit: '5' })).toMatchObject({ relative_links_limit: 5 });
});
