import { expect, it } from 'vitest';
import { styleFaults } from './build-mantine-styles.ts';

const SHEETS = new Map([
  ['baseline.css', 'body { margin: 0; }'],
  ['Button.css', '.m_77c9d27d { color: red; }'],
  ['Tabs.css', '.m_89d60db1 { color: red; } .m_576c9d4 { color: red; }'],
]);
const LIST = "import '@mantine/core/styles/baseline.css';\nimport '@mantine/core/styles/Button.css';";

it('a component without its style sheet is named', () => {
  const code = 'var a={root:"m_77c9d27d"},b={list:"m_576c9d4"};';
  expect(styleFaults(LIST, SHEETS, code)).toEqual(['mantine-styles.ts lacks Tabs.css.']);
});

it('a style sheet that no component uses is named, one without classes is not', () => {
  expect(styleFaults(LIST, SHEETS, '')).toEqual(['No component uses Button.css of mantine-styles.ts.']);
  expect(styleFaults(LIST, SHEETS, 'var a={root:"m_77c9d27d"};')).toEqual([]);
});
