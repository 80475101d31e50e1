/** The parts of an OpenAPI 3.1 document that we work on; nothing that our document does not have. */

/** A JSON Schema as zod writes it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  minimum?: number;
  maxItems?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** The shapes that have names. */
export type Schemas = Record<string, Schema>;

/** One kind of content; there is only JSON. */
export interface Content {
  'application/json': { schema: Schema; example?: unknown };
}

/** A parameter or a header. */
export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

/** One answer of an operation. */
export interface Response {
  description: string;
  headers?: Record<string, object>;
  content?: Content;
}

/** One method of one path. */
export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  /** Before the same ones are moved together, all stand here in full. */
  responses: Record<string, Response | { $ref: string }>;
}

/** The document. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string; license: object };
  servers: { url: string }[];
  tags?: object[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Schemas;
    securitySchemes: Record<string, { type: string; scheme: string; description?: string }>;
    headers?: Record<string, object>;
    responses?: Record<string, Response>;
  };
}
