/**
 * Converts the error of a request to the parts that a page shows: a sentence, messages per field, and
 * the kinds that the app treats differently. The format is that of tRPC, with `errors` per field in
 * `data` (see the error formatter of the api).
 */
import { TRPCClientError } from '@trpc/client';
import { fieldMessage } from './field-messages.rules.ts';
import { texts } from './texts.ts';

/** The kinds of failure that lead to different behaviour. */
type RequestErrorKind = 'unauthenticated' | 'not-found' | 'invalid' | 'too-many' | 'unreachable' | 'failed';

/** A failure, ready to be shown. */
export interface RequestError {
  kind: RequestErrorKind;
  /** One or two sentences for the user. */
  message: string;
  /** Messages by API field name; empty if the error concerns no field. */
  fields: Record<string, string[]>;
}

const KINDS: Record<number, RequestErrorKind> = {
  400: 'invalid',
  401: 'unauthenticated',
  404: 'not-found',
  409: 'invalid',
  422: 'invalid',
  429: 'too-many',
};

/** Retries of a failed query before the page shows the error. */
const MAX_RETRIES = 2;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readFields(data: unknown): Record<string, string[]> {
  const errors = isRecord(data) ? data['errors'] : undefined;
  if (!isRecord(errors)) return {};
  const entries = Object.entries(errors).map(([name, messages]): [string, string[]] => [
    name,
    (Array.isArray(messages) ? messages : [messages]).map((message) => fieldMessage(String(message))),
  ]);
  return Object.fromEntries(entries);
}

/** Internal errors of the server have a general text that does not help the user. */
function failureText(status: number): string {
  if (status === 503) return texts.failure.unavailable;
  if (status === 403) return texts.failure.forbidden;
  return texts.failure.server;
}

/** Reads a thrown value of any request. */
export function readRequestError(error: unknown): RequestError {
  if (!(error instanceof TRPCClientError))
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error), fields: {} };
  const data: unknown = error.data;
  const status = isRecord(data) ? Number(data['httpStatus']) : Number.NaN;
  // Without `data`, the request did not reach the server or the response is from a proxy.
  if (!isRecord(data)) return { kind: 'unreachable', message: texts.failure.unreachable, fields: {} };
  const kind = KINDS[status];
  if (!kind) return { kind: 'failed', message: failureText(status), fields: {} };
  if (kind === 'unauthenticated') return { kind, message: texts.failure.signedOut, fields: {} };
  return { kind, message: error.message, fields: readFields(data) };
}

/** The first message of each field, in the shape that forms accept. */
export function firstMessages(fields: Record<string, string[]>): Record<string, string> {
  const entries = Object.entries(fields).flatMap(([name, messages]) =>
    messages[0] ? [[name, messages[0]]] : [],
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Retries only if the result may change. */
export function isWorthRetrying(failureCount: number, error: Error): boolean {
  const { kind } = readRequestError(error);
  return failureCount < MAX_RETRIES && (kind === 'unreachable' || kind === 'failed');
}

/** For the `onError` of a mutation: shows the messages at the fields of the form. */
export function showFaults(form: { setErrors: (messages: Record<string, string>) => void }) {
  return (error: unknown): void => form.setErrors(firstMessages(readRequestError(error).fields));
}
