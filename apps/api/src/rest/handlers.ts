/** The types of the REST API's handlers: typed input from the contract, an answer of the contract. */
import type { api } from '@parley/contracts';
import type { CoreContext, Identity } from '@parley/core';
import type { AppRoute, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import type { Request } from 'express';
import type { EventStream } from '../http/event-stream.ts';
import type { ListStream } from '../http/list-stream.ts';
import type { FileStream } from '../http/text-stream.ts';

/** What a handler gets beside its input. */
export interface RestCall {
  /** With the request's own origin as `publicUrl` where none is configured. */
  core: CoreContext;
  identity: Identity;
  /** The absolute address that was requested. */
  url: URL;
  request: Request;
}

type RestHandler<Route extends AppRoute> = (
  call: RestCall,
  input: ServerInferRequest<Route>,
) => Promise<ServerInferResponses<Route> | StreamedAnswer>;

/** Where the contract has a list, a file or events, a handler may send them piece by piece. */
interface StreamedAnswer {
  status: 200;
  body: ListStream<unknown> | FileStream | EventStream;
}

/** An answer without the type of its endpoint. */
export interface Answer {
  status: number;
  body: unknown;
}

/** A handler without the types of its endpoint, which were checked where it was written. */
export type AnyHandler = (call: RestCall, input: object) => Promise<Answer>;

/** One handler for each endpoint of a group of the contract. */
export type RestHandlers<Group> = {
  [Name in keyof Group]: Group[Name] extends AppRoute ? RestHandler<Group[Name]> : never;
};

/** One handler for each endpoint of the contract. */
export type AllHandlers = { [Group in keyof typeof api]: RestHandlers<(typeof api)[Group]> };
