/**
 * Tests of the client's types, which run in `tsc`: a type that has become `any`, an invalid body that is accepted, or an
 * endpoint without a function fails the type check.
 */
import { expectTypeOf, test } from 'vitest';
import {
  eachPage,
  eachRecord,
  isParleyError,
  type ParleyAnswers,
  type ParleyClient,
  type WebhookEvent,
} from './index.ts';

type IsAny<Type> = 0 extends 1 & Type ? true : false;

/** True if a type is `any` or contains `any` in its first levels. */
type HasAny<Type, Depth extends unknown[] = []> =
  IsAny<Type> extends true
    ? true
    : Depth['length'] extends 5
      ? false
      : Type extends (infer Item)[]
        ? HasAny<Item, [...Depth, 0]>
        : Type extends Headers
          ? false
          : Type extends object
            ? true extends { [Name in keyof Type]-?: HasAny<Type[Name], [...Depth, 0]> }[keyof Type]
              ? true
              : false
            : false;

type Endpoint = (input: never, options: never) => Promise<unknown>;

/** The names of the endpoints that satisfy a predicate. */
type Taking<Client> = {
  [Group in keyof Client]: {
    [Name in keyof Client[Group]]: Client[Group][Name] extends (...given: infer Given) => unknown
      ? HasAny<Given[0]> extends true
        ? `${Group & string}.${Name & string}`
        : never
      : `${Group & string}.${Name & string}`;
  }[keyof Client[Group]];
}[keyof Client];

type Giving<Client> = {
  [Group in keyof Client]: {
    [Name in keyof Client[Group]]: Client[Group][Name] extends Endpoint
      ? HasAny<Awaited<ReturnType<Client[Group][Name]>>> extends true
        ? `${Group & string}.${Name & string}`
        : never
      : `${Group & string}.${Name & string}`;
  }[keyof Client[Group]];
}[keyof Client];

type InputOf<Function> = Function extends (input: infer Input, ...rest: never) => unknown ? Input : never;

test('no endpoint accepts or returns any', () => {
  expectTypeOf<Taking<ParleyClient>>().toEqualTypeOf<never>();
  expectTypeOf<Giving<ParleyClient>>().toEqualTypeOf<never>();
  expectTypeOf<Giving<ParleyAnswers>>().toEqualTypeOf<never>();
});

test('the search for any finds an any', () => {
  const parsed = JSON.parse('{}');
  interface Endpoints {
    good: { find: (input: { body: { id: number } }) => Promise<{ body: string }> };
    bad: {
      taking: (input: { body: { id: typeof parsed } }) => Promise<string>;
      giving: (input: { body: string }) => Promise<{ body: { list: (typeof parsed)[] } }>;
    };
  }
  expectTypeOf<Taking<Endpoints>>().toEqualTypeOf<'bad.taking'>();
  expectTypeOf<Giving<Endpoints>>().toEqualTypeOf<'bad.giving'>();
});

test('a wrong body is refused', () => {
  type MakeBody = InputOf<ParleyClient['calls']['make']>['body'];
  expectTypeOf<{ phone_number: string; assistant_id: number }>().toExtend<MakeBody>();
  expectTypeOf<{ phone_number: string; assistant_id: string; variables: [] }>().toExtend<MakeBody>();
  expectTypeOf<{ phone_number: string }>().not.toExtend<MakeBody>();
  expectTypeOf<{ phone_number: number; assistant_id: number }>().not.toExtend<MakeBody>();
  expectTypeOf<{ phone_number: string; assistant_id: boolean }>().not.toExtend<MakeBody>();
  expectTypeOf<keyof MakeBody>().toEqualTypeOf<
    'phone_number' | 'assistant_id' | 'variables' | 'variable' | 'instructions' | 'post_call_schema'
  >();
});

test('required input cannot be omitted, optional input can', () => {
  type Required<Function extends (...given: never) => unknown> =
    [] extends Parameters<Function> ? false : true;
  expectTypeOf<Required<ParleyClient['calls']['make']>>().toEqualTypeOf<true>();
  expectTypeOf<Required<ParleyClient['calls']['get']>>().toEqualTypeOf<true>();
  expectTypeOf<Required<ParleyClient['assistants']['create']>>().toEqualTypeOf<true>();
  expectTypeOf<Required<ParleyClient['calls']['list']>>().toEqualTypeOf<false>();
  expectTypeOf<Required<ParleyClient['users']['me']>>().toEqualTypeOf<false>();
});

test('enumerated values are checked against the contract', () => {
  type Filters = NonNullable<NonNullable<InputOf<ParleyClient['calls']['list']>>['query']>;
  expectTypeOf<{ status: 'no-answer'; per_page: 50 }>().toExtend<Filters>();
  expectTypeOf<{ status: 'no answer' }>().not.toExtend<Filters>();
});

test('a response is typed by its status', () => {
  type Placed = Awaited<ReturnType<ParleyClient['calls']['make']>>;
  expectTypeOf<Placed['status']>().toEqualTypeOf<200>();
  expectTypeOf<Placed['body']['call_id']>().toEqualTypeOf<number>();
  type Any = Awaited<ReturnType<ParleyAnswers['calls']['make']>>;
  expectTypeOf<401 | 404 | 422 | 429>().toExtend<Any['status']>();
  type Refusal = Extract<Any, { status: 422 }>['body'];
  expectTypeOf<Refusal['errors']>().toEqualTypeOf<Record<string, string[]> | undefined>();
  expectTypeOf<Extract<Any, { status: 429 }>['body']['retry_after']>().toEqualTypeOf<number>();
});

/** The functions that iterate over lists, bound to one list each; never called. */
const readCalls = (parley: ParleyClient) => eachRecord(parley.calls.list, { status: 'completed' });
const readVoices = (parley: ParleyClient) => eachRecord(parley.lookups.listVoices);
const readLeads = (parley: ParleyClient) => eachPage(parley.leads.list, { campaign_id: 3 });
type FiltersOfCalls = Parameters<typeof eachRecord<NonNullable<CallsQuery>, object>>[1];
type CallsQuery = NonNullable<InputOf<ParleyClient['calls']['list']>>['query'];
type Item<Generator> = Generator extends AsyncGenerator<infer Type> ? Type : never;

test('records keep their type, also those of a list that is a bare array unless paged', () => {
  expectTypeOf<Item<ReturnType<typeof readCalls>>['transcript']>().toEqualTypeOf<string>();
  expectTypeOf<Item<ReturnType<typeof readLeads>>['data'][number]['campaign_id']>().toEqualTypeOf<number>();
  expectTypeOf<{ status: 'no answer' }>().not.toExtend<FiltersOfCalls>();
});

test('an endpoint without pages has no records', () => {
  expectTypeOf<Item<ReturnType<typeof readVoices>>>().toEqualTypeOf<never>();
});

test('isParleyError narrows to the given status', () => {
  const error: unknown = null;
  if (isParleyError(error, 422)) expectTypeOf(error.status).toEqualTypeOf<422>();
  if (isParleyError(error)) expectTypeOf(error.status).toEqualTypeOf<number>();
});

test('events of webhooks are narrowed by their name', () => {
  expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<
    | 'call.finished'
    | 'call.incoming'
    | 'conversation.ended'
    | 'webhook.test'
    | 'call.started'
    | 'call.answered'
    | 'call.ended'
    | 'call.evaluated'
    | 'recording.ready'
    | 'voicemail.received'
    | 'lead.settled'
    | 'campaign.completed'
    | 'trunk.paused'
    | 'limit.warning'
    | 'limit.reached'
  >();
  type Finished = Extract<WebhookEvent, { event: 'call.finished' }>;
  expectTypeOf<Finished['transcript']>().toEqualTypeOf<string>();
});
