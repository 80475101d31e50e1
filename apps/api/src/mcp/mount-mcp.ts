/**
 * The MCP endpoint (streamable HTTP): an API token as everywhere, and a server of its own for each request, so that any api
 * process can answer. A page of another site cannot use it, because it has no token and its origin is refused.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorText, isPlainObject } from '@parley/contracts';
import { DomainError, type CoreContext } from '@parley/core';
import { createMcpHandler } from '@modelcontextprotocol/server';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { identityOf } from '../http/authenticate.ts';
import type { BodyBudget } from '../http/body-budget.ts';
import { countValues } from '../http/json-values.rules.ts';
import { isFromOwnPage, type OriginReader } from '../http/request-origin.ts';
import { refusal } from '../http-errors.ts';
import { renewIdentities } from '../http/renew-identity.ts';
import type { AllHandlers, RestCall } from '../rest/handlers.ts';
import { createMcpServers, type McpServerFactory } from './mcp-server.ts';

const MCP_PATH = '/mcp';
/** The same limit as for other bodies. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Those of the longest input of a tool, an assistant with all its tools, are a few thousand. */
const MAX_VALUES = 10_000;
/** Lists and objects inside one another. */
const MAX_DEPTH = 100;
/** What a message has besides the arguments of a tool: the protocol's own fields. */
const MAX_ENVELOPE_BYTES = 16_384;
const MAX_ENVELOPE_VALUES = 200;

interface McpOptions {
  core: CoreContext;
  handlers: AllHandlers;
  authenticate: RequestHandler;
  originOf: OriginReader;
  bodies: BodyBudget;
}

/** Mounts the endpoint. */
export function mountMcp(app: Express, options: McpOptions): void {
  const { core, handlers, authenticate, originOf, bodies } = options;
  const serverOf = createMcpServers(handlers);
  const refuseOtherPages: RequestHandler = (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    if (!isFromOwnPage(request, core.publicUrl))
      throw new DomainError('forbidden', 'A page of another origin must not do this.');
    next();
  };
  const budgetBody: RequestHandler = (request, response, next) => {
    bodies.enter(identityOf(response).userId, MAX_BODY_BYTES, { request, response });
    next();
  };
  const readBody = express.json({ limit: MAX_BODY_BYTES, strict: false, verify: refuseManyValues });
  const checkMessage: RequestHandler = (request, _response, next) => {
    // Each message would count as nothing for the rate limit. The protocol has had no batches since 2025-06-18.
    if (Array.isArray(request.body) && request.body.length !== 1)
      throw new DomainError('invalid', 'Send one message in a request.');
    refuseLargeEnvelope(request.body);
    next();
  };
  const callOf = (request: Request, response: Response): RestCall => {
    const origin = originOf(request);
    const url = new URL(MCP_PATH, origin);
    return { core: { ...core, publicUrl: origin }, identity: identityOf(response), url, request };
  };
  const prepare = [
    refuseOtherPages,
    authenticate,
    budgetBody,
    readBody,
    renewIdentities(core.clock),
    checkMessage,
  ];
  app.all(MCP_PATH, prepare, (request: Request, response: Response) =>
    serve(serverOf, callOf(request, response), response),
  );
}

/** Before the body is parsed. */
function refuseManyValues(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (encoding !== 'utf-8') throw refusal(415, errorText.notJsonType);
  const { values, depth } = countValues(body, MAX_VALUES);
  if (values > MAX_VALUES) throw refusal(413, errorText.tooManyValues(MAX_VALUES));
  if (depth > MAX_DEPTH) throw new DomainError('invalid', 'The message is nested too deeply.');
}

/**
 * The library answers a message that is not valid with a description of each fault, which is a hundred times as long as the
 * fault itself.
 */
function refuseLargeEnvelope(body: unknown): void {
  const message: unknown = Array.isArray(body) ? body[0] : body;
  if (!isPlainObject(message)) return;
  const { params, ...others } = message;
  const { arguments: _, ...rest } = isPlainObject(params) ? params : { params };
  const envelope = Buffer.from(JSON.stringify([others, rest]));
  const { values } = countValues(envelope, MAX_ENVELOPE_VALUES);
  if (envelope.length > MAX_ENVELOPE_BYTES || values > MAX_ENVELOPE_VALUES)
    throw refusal(413, 'The message is too large besides the arguments of its tool.');
}

async function serve(serverOf: McpServerFactory, call: RestCall, response: Response): Promise<void> {
  const { request } = call;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const handler = createMcpHandler(() => serverOf(call, gone.signal), {
    onerror: (error) => call.core.log.debug({ err: error }, 'An MCP request was refused'),
  });
  try {
    const answer = await handler.fetch(webRequest(request, call.url, gone.signal), {
      parsedBody: request.body as unknown,
    });
    response.status(answer.status);
    // Transcripts must not be stored: the header of all answers stays in the place of the library's `no-cache`.
    answer.headers.delete('cache-control');
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    if (answer.body) await pipeline(Readable.fromWeb(answer.body), response);
    else response.end();
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  }
}

/** The body was read by Express's parser and is passed beside it. */
function webRequest(request: Request, url: URL, signal: AbortSignal): globalThis.Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const hasBody = request.method === 'POST';
  return new globalThis.Request(url, {
    method: request.method,
    headers,
    signal,
    ...(hasBody && { body: JSON.stringify(request.body ?? null) }),
  });
}
