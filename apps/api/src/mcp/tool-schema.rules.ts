/** The input of a tool as JSON Schema, from the operation of the API document: parameters and body as one flat object. */

type Json = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Json;
}

/** The parts of an operation that matter here. */
export interface DocumentedOperation {
  operationId?: string;
  summary?: string;
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: Json }> };
}

/** The API document as far as it matters here. */
export interface ToolDocument {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Json> };
}

/** JSON Schema of an object. */
export interface InputSchema {
  type: 'object';
  properties: Record<string, Json>;
  required: string[];
  $defs?: Record<string, Json>;
  [key: string]: unknown;
}

const COMPONENT = '#/components/schemas/';

/** @throws Error for an operation that the document lacks */
export function findOperation(document: ToolDocument, operationId: string): DocumentedOperation {
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods))
      if (operation.operationId === operationId) return operation;
  throw new Error(`The API document has no operation ${operationId}`);
}

/** Headers are not part of the input. */
export function toolInput(document: ToolDocument, operation: DocumentedOperation): InputSchema {
  const { schemas } = document.components;
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header');
  const body = resolve(operation.requestBody?.content?.['application/json']?.schema ?? {}, schemas);
  const properties: Record<string, Json> = {
    ...Object.fromEntries(parameters.map((parameter) => [parameter.name, described(parameter)])),
    ...(body['properties'] as Record<string, Json> | undefined),
  };
  const required = [
    ...parameters.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : [])),
    ...((body['required'] as string[] | undefined) ?? []),
  ];
  const used = new Map<string, Json>();
  const inlined = withLocalReferences(properties, schemas, used) as Record<string, Json>;
  return {
    type: 'object',
    properties: inlined,
    required,
    ...(used.size === 0 ? {} : { $defs: Object.fromEntries(used) }),
  };
}

function described({ schema, description }: Parameter): Json {
  return description === undefined ? schema : { ...schema, description };
}

function resolve(schema: Json, schemas: Record<string, Json>): Json {
  const { $ref } = schema;
  return typeof $ref === 'string' ? (schemas[$ref.slice(COMPONENT.length)] ?? {}) : schema;
}

/** Components that are referenced become `$defs`, with those that they reference. */
function withLocalReferences(node: unknown, schemas: Record<string, Json>, used: Map<string, Json>): unknown {
  if (Array.isArray(node)) return node.map((item) => withLocalReferences(item, schemas, used));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(COMPONENT))
        return [key, withLocalReferences(value, schemas, used)];
      const name = value.slice(COMPONENT.length);
      if (!used.has(name)) {
        used.set(name, {});
        used.set(name, withLocalReferences(schemas[name] ?? {}, schemas, used) as Json);
      }
      return [key, `#/$defs/${name}`];
    }),
  );
}
