/**
 * The types of one endpoint, derived from the route of the contract: requests have the input type of the schemas,
 * responses the output type, one per status.
 */
import type { CsvUpload } from '@parley/contracts';
import type { AppRoute, ContractOtherResponse } from '@ts-rest/core';
import type { z } from 'zod';
import type { OnUpload } from './upload-body.ts';

/** The statuses of a success. */
type SuccessStatus = 200 | 201 | 202 | 203 | 204;

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request, including the waits between its repetitions. */
  signal?: AbortSignal | undefined;
  /** Replaces the generated key of a create; ignored by endpoints without idempotency. At most 255 characters. */
  idempotencyKey?: string | undefined;
  /** Progress of an upload. With it, the size of the file is not sent. */
  onUpload?: OnUpload | undefined;
  /** Additional headers; they replace those of the client. */
  headers?: Record<string, string> | undefined;
}

/** Path parameters, as strings or numbers. */
type ParamsOf<Route> = Route extends { pathParams: infer Schema extends z.ZodType }
  ? { params: { [Name in keyof z.input<Schema>]: string | number } }
  : unknown;

type QueryOf<Route> = Route extends { query: infer Schema extends z.ZodType }
  ? Partial<z.input<Schema>> extends z.input<Schema>
    ? { query?: z.input<Schema> | undefined }
    : { query: z.input<Schema> }
  : unknown;

type BodyOf<Route> = Route extends { body: infer Schema extends z.ZodType }
  ? [z.input<Schema>[keyof z.input<Schema>]] extends [never]
    ? { body?: Record<string, never> | undefined }
    : { body: z.input<Schema> }
  : Route extends { metadata: { upload: string } }
    ? { body: CsvUpload }
    : unknown;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** The input of an endpoint: `params` of its path, `query`, `body`. */
export type InputOf<Route extends AppRoute> = Flat<ParamsOf<Route> & QueryOf<Route> & BodyOf<Route>>;

/** One response: a documented status with its body. */
export interface Answer<Status extends number = number, Body = unknown> {
  status: Status;
  body: Body;
  headers: Headers;
  /** The id under which the log of the server mentions the request. */
  requestId: string | null;
}

type BodyFrom<Schema> = Schema extends z.ZodType
  ? z.output<Schema>
  : Schema extends ContractOtherResponse<infer File extends z.ZodType>
    ? z.output<File>
    : unknown;

/** A key of the contract's responses as a number; object spread turns the type of such a key into a string. */
type StatusFrom<Key> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : never;

/** Every response in the contract, as a union by `status`. */
export type AnswerOf<Route extends AppRoute> = {
  [Key in keyof Route['responses']]: Answer<StatusFrom<Key>, BodyFrom<Route['responses'][Key]>>;
}[keyof Route['responses']];

/** The successful responses. */
export type SuccessOf<Route extends AppRoute> = Extract<AnswerOf<Route>, { status: SuccessStatus }>;

/** The input is optional if all of its fields are. */
export type Call<Input, Result> =
  Partial<Input> extends Input
    ? (input?: Input, options?: RequestOptions) => Promise<Result>
    : (input: Input, options?: RequestOptions) => Promise<Result>;

/** True for 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
