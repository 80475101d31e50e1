/** Adds the table of field texts to a document: a description and an example for every field and parameter. */
import { componentFieldTexts } from './component-field-texts.ts';
import type { FieldText } from './field-text.ts';
import { fieldTexts } from './field-texts.ts';
import {
  mediaOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Schema,
} from './openapi-parts.ts';

/** Changes the document in place. */
export function addFieldTexts(document: OpenApiDocument): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) describeSchema(schema, name);
  for (const operation of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) describeParameter(parameter, operation.operationId);
    if (operation.requestBody) describeSchema(mediaOf(operation.requestBody.content).media.schema);
    for (const response of Object.values(operation.responses))
      if ('content' in response) describeSchema(mediaOf(response.content).media.schema);
  }
}

function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.values(document.paths).flatMap((path) => Object.values(path));
}

/** @param owner - the id of the operation that the parameter belongs to */
function describeParameter(parameter: Parameter, owner: string): void {
  const texts = componentFieldTexts[`${owner}.${parameter.name}`] ?? fieldTexts[parameter.name];
  if (!texts || parameter.in === 'header') return;
  parameter.description ??= texts.description;
  addExample(parameter.schema, texts);
}

/** @param owner - the component that the fields belong to, if any, with the path of an object inside it */
function describeSchema(schema: Schema, owner = ''): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const texts = componentFieldTexts[`${owner}.${name}`] ?? fieldTexts[name];
    if (texts) {
      property.description ??= texts.description;
      addExample(property, texts);
    }
    describeSchema(property, `${owner}.${name}`);
  }
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  for (const part of inner) if (part) describeSchema(part, owner);
}

/** A schema that has a constant or its own examples keeps them; one with an enumeration allows its values only. */
function addExample(schema: Schema, { example }: FieldText): void {
  if (example === undefined || schema.examples || schema.const !== undefined) return;
  if (schema.enum && !schema.enum.includes(example)) return;
  const fitting = fit(example, schema);
  if (fitting !== undefined) schema.examples = [fitting];
}

/** The example in the type of this schema: some numbers are read as strings, some flags as 1 and 0. */
function fit(example: unknown, schema: Schema): unknown {
  const types = typesOf(schema);
  if (types.includes(kindOf(example))) return example;
  if (Number.isInteger(example) && types.includes('number')) return example;
  if (typeof example === 'number' && types.includes('string')) return example.toFixed(1);
  if (typeof example === 'boolean' && types.includes('integer')) return Number(example);
  return undefined;
}

/** References, and schemas that allow any value, have no type. */
function typesOf(schema: Schema): string[] {
  const own = [schema.type].flat().filter((type) => type !== undefined);
  return [...own, ...(schema.anyOf ?? []).flatMap(typesOf)];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
