/**
 * Reads the row types of SQL statements: every call of `statement<Row>('name', …)` in the sources that are given, with the
 * properties of `Row` as the type checker sees them. TypeScript 7 has no compiler API, so this uses TypeScript 6.
 */
import ts from 'typescript-6';

/** What a property holds, as far as it can be compared with a column. `any`: anything fits. */
export type ValueKind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'bytes'
  | 'array'
  | 'object'
  | 'null'
  | 'any';

/** One property of a row type. */
export interface RowProperty {
  /** `null` among them means that the property may be null. */
  kinds: ReadonlySet<ValueKind>;
}

/** One call of `statement`. */
export interface TypedStatement {
  /** As it is written; a pattern where it is a template, whose values may be anything. */
  name: string | RegExp;
  /** The file and its line. */
  place: string;
  /** Row types by the name of the statement; null where it is declared without a row type, so its rows are not read. */
  row: ReadonlyMap<string, RowProperty> | null;
}

/**
 * @param files - paths of TypeScript sources; what they import is read too
 * @param root - the folder that places are relative to
 */
export function readStatementTypes(files: readonly string[], root: string): TypedStatement[] {
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const wanted = new Set(files);
  const found: TypedStatement[] = [];
  for (const source of program.getSourceFiles()) {
    if (!wanted.has(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText(source) === 'statement')
        found.push(typedStatement(checker, source, { call: node, root }));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function typedStatement(
  checker: ts.TypeChecker,
  source: ts.SourceFile,
  { call, root }: { call: ts.CallExpression; root: string },
): TypedStatement {
  const [name] = call.arguments;
  const line = source.getLineAndCharacterOfPosition(call.getStart(source)).line + 1;
  return {
    name: nameOf(name),
    place: `${source.fileName.slice(root.length + 1)}:${line}`,
    row: rowOf(checker, call),
  };
}

function nameOf(name: ts.Expression | undefined): TypedStatement['name'] {
  if (name && ts.isStringLiteralLike(name)) return name.text;
  if (!name || !ts.isTemplateExpression(name)) return /^$/;
  const spans = name.templateSpans.map(({ literal }) => `\\w*${literal.text}`);
  return new RegExp(`^${name.head.text}${spans.join('')}$`);
}

/** The type argument, or what the place of the call asks for: `const known: Statement<Row> = statement(…)`. */
function rowOf(checker: ts.TypeChecker, call: ts.CallExpression): TypedStatement['row'] {
  const resolved = checker.getResolvedSignature(call)?.getReturnType();
  const row = resolved?.aliasTypeArguments?.[0] ?? checker.getTypeArguments(resolved as ts.TypeReference)[0];
  if (!row || (row.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0) return null;
  return new Map(
    checker
      .getPropertiesOfType(row)
      .filter(({ name }) => !name.startsWith('__'))
      .map((property) => [
        property.name,
        { kinds: kindsOf(checker, checker.getTypeOfSymbolAtLocation(property, call)) },
      ]),
  );
}

function kindsOf(checker: ts.TypeChecker, type: ts.Type): Set<ValueKind> {
  if (type.isUnion()) return new Set(type.types.flatMap((each) => [...kindsOf(checker, each)]));
  // Branded primitives: `number & Brand`.
  if (type.isIntersection()) {
    const kinds = type.types.flatMap((each) => [...kindsOf(checker, each)]);
    const primitive = kinds.find((kind) => kind !== 'object');
    return new Set([primitive ?? 'object']);
  }
  return new Set([kindOf(checker, type)]);
}

const PRIMITIVES: readonly [ts.TypeFlags, ValueKind][] = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.Null | ts.TypeFlags.Undefined, 'null'],
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown, 'any'],
];

function kindOf(checker: ts.TypeChecker, type: ts.Type): ValueKind {
  const primitive = PRIMITIVES.find(([flags]) => (type.flags & flags) !== 0);
  if (primitive) return primitive[1];
  if (checker.isArrayLikeType(type)) return 'array';
  const name = type.getSymbol()?.name;
  if (name === 'Date') return 'date';
  return name === 'Buffer' || name === 'Uint8Array' ? 'bytes' : 'object';
}
