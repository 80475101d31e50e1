/** The parts of an OpenAPI 3.1 document that ours uses. */

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

/** The named schemas. */
export type Schemas = Record<string, Schema>;

/** The schema and an example of a body. */
export interface Media {
  schema: Schema;
  example?: unknown;
}

/** Content type to body; each of our bodies has one type. */
export type Content = Record<string, Media>;

/** The one content type of a body. @throws Error without one, which the contract does not allow */
export function mediaOf(content: Content): { type: string; media: Media } {
  const [only] = Object.entries(content);
  if (!only) throw new Error('A body has no content type');
  return { type: only[0], media: only[1] };
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
  /** In full, until `share-responses.ts` replaces equal ones by references. */
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
