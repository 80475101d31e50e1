/**
 * What one endpoint looks like to a caller. Every type here is worked out from the contract's route: what may be sent
 * is the schema's input, what comes back is its output, one form for each status.
 */
import type { CsvUpload } from '@parley/contracts';
import type { AppRoute, ContractOtherResponse } from '@ts-rest/core';
import type { z } from 'zod';
import type { OnUpload } from './upload-body.ts';

/** Statuses that mean "done". */
type SuccessStatus = 200 | 201 | 202 | 203 | 204;

/** What a caller may say about one request beside its input. */
export interface RequestOptions {
  /** Gives the request up, the waits between its repetitions included. */
  signal?: AbortSignal | undefined;
  /** Instead of the one that is made up for every create; ignored by endpoints that honour none. At most 255 characters. */
  idempotencyKey?: string | undefined;
  /** For endpoints that take files. Then the size of a file does not go along. */
  onUpload?: OnUpload | undefined;
  /** Sent along; they win over our own. */
  headers?: Record<string, string> | undefined;
}

/** The contract's names of path parameters; numbers may be given as they are. */
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

/** Everything an endpoint takes: `params` of its path, `query`, `body`. */
export type InputOf<Route extends AppRoute> = Flat<ParamsOf<Route> & QueryOf<Route> & BodyOf<Route>>;

/** One answer: a documented status with its body. */
export interface Answer<Status extends number = number, Body = unknown> {
  status: Status;
  body: Body;
  headers: Headers;
  /** For questions to the operator: the server's log has it too. */
  requestId: string | null;
}

type BodyFrom<Schema> = Schema extends z.ZodType
  ? z.output<Schema>
  : Schema extends ContractOtherResponse<infer File extends z.ZodType>
    ? z.output<File>
    : unknown;

/** A key of the contract's table of answers as a number: spread out of another table, it has become a string type. */
type StatusFrom<Key> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : never;

/** Every answer that the contract knows, as a union to be told apart by `status`. */
export type AnswerOf<Route extends AppRoute> = {
  [Key in keyof Route['responses']]: Answer<StatusFrom<Key>, BodyFrom<Route['responses'][Key]>>;
}[keyof Route['responses']];

/** The answers that mean "done". */
export type SuccessOf<Route extends AppRoute> = Extract<AnswerOf<Route>, { status: SuccessStatus }>;

/** The input may be left out where nothing in it is needed. */
export type Call<Input, Result> =
  Partial<Input> extends Input
    ? (input?: Input, options?: RequestOptions) => Promise<Result>
    : (input: Input, options?: RequestOptions) => Promise<Result>;

/** True for statuses that mean "done". */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
