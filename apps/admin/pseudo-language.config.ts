/**
 * Builds the admin app in a pseudo-language: every text of the modules `texts.ts` is between ⟦ and ⟧. A text on a page without
 * them is written elsewhere, or comes from the server. For the test of all pages in `tooling/e2e`.
 */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Texts may be nested in tables, or made by functions. */
const MARK = `
const marked = (value) => {
  if (typeof value === 'string') return value.trim() === '' ? value : '⟦' + value + '⟧';
  if (typeof value === 'function') return (...values) => marked(value(...values));
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marked(part)]));
};
`;

function pseudoLanguage(): Plugin {
  return {
    name: 'parley-pseudo-language',
    enforce: 'post',
    transform: {
      filter: { id: /\/texts\.ts$/ },
      handler(code) {
        const names = [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
        if (names.length === 0) this.error('This module of texts exports none.');
        const plain = code.replaceAll(/^export const (\w+)/gm, 'const plain_$1');
        const exported = names.map((name) => `export const ${name} = marked(plain_${name});`);
        return { code: [plain, MARK, ...exported].join('\n'), map: null };
      },
    },
  };
}

export default defineConfig({
  base: '/admin/',
  plugins: [react(), pseudoLanguage()],
  build: { target: 'es2024', assetsInlineLimit: 0, minify: false, reportCompressedSize: false },
  worker: { format: 'es' },
});
