/** Which modules a TypeScript file names: imports and re-exports, type imports included, `import()` and import types. */
import { parseSync, Visitor } from 'oxc-parser';

/** One module specifier, as it is written, and where. */
export interface ModuleReference {
  specifier: string;
  line: number;
}

/** @throws Error when the file cannot be parsed */
export function readImports(file: string, source: string): ModuleReference[] {
  const parsed = parseSync(file, source);
  const fault = parsed.errors[0];
  if (fault) throw new Error(`${file}: ${fault.message}`);
  const found: { value: string; start: number }[] = [];
  for (const statement of parsed.module.staticImports) found.push(statement.moduleRequest);
  for (const statement of parsed.module.staticExports)
    for (const entry of statement.entries) if (entry.moduleRequest) found.push(entry.moduleRequest);
  if (/\bimport\s*\(/.test(source)) found.push(...readImportCalls(parsed.program));
  return found.map(({ value, start }) => ({
    specifier: value,
    line: source.slice(0, start).split('\n').length,
  }));
}

type Program = ReturnType<typeof parseSync>['program'];

/** `import()` as an expression and as a type: the module record of the parser has no import types. */
function readImportCalls(program: Program): { value: string; start: number }[] {
  const found: { value: string; start: number }[] = [];
  const add = (node: { type: string; value?: unknown; start: number }): void => {
    if (node.type === 'Literal' && typeof node.value === 'string')
      found.push({ value: node.value, start: node.start });
  };
  new Visitor({
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return found;
}
