/** What a handler of the REST API is: plain typed input from the contract, an answer of the contract. */
import type { api, PageAddress } from '@parley/contracts';
import type { CoreContext, Identity } from '@parley/core';
import type { AppRoute, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import type { ListStream } from '../http/list-stream.ts';
import type { FileStream } from '../http/text-stream.ts';

/** What a handler knows of the request beside its input. */
export interface RestCall {
  /** With the public address filled in from the request where none is configured. */
  core: CoreContext;
  identity: Identity;
  /** The absolute address that was asked for. */
  url: PageAddress;
  /** What was sent to an endpoint that takes files. */
  upload: Upload;
}

/** A body that is read as it arrives. */
interface Upload {
  bytes: AsyncIterable<Uint8Array>;
  /** As the request says; undefined: it does not. */
  bytesTotal: number | undefined;
  /** The header `Idempotency-Key`. */
  key: string | undefined;
}

type RestHandler<Route extends AppRoute> = (
  call: RestCall,
  input: ServerInferRequest<Route>,
) => Promise<ServerInferResponses<Route> | StreamedAnswer>;

/** Where the contract allows a list or a file, a handler may write it bit by bit. */
interface StreamedAnswer {
  status: 200;
  body: ListStream<unknown> | FileStream;
}

/** One handler for each endpoint of a group of the contract. */
export type RestHandlers<Group> = {
  [Name in keyof Group]: Group[Name] extends AppRoute ? RestHandler<Group[Name]> : never;
};

/** One handler for each endpoint of the contract. */
export type AllHandlers = { [Group in keyof typeof api]: RestHandlers<(typeof api)[Group]> };
