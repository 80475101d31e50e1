/** Sends the requests of the generated tests to a live api and validates the responses against the contract. */
import { answerSchema, fillPath, type ContractRoute } from './contract-routes.ts';
import { referencesOf } from './references.ts';
import type { Body } from './valid-values.ts';
import { make, nextPhoneNumber, type Person } from './world.ts';
import { startLiveApi, type LiveApi, type LiveApiOptions } from '../live-api.ts';

/** A live api with three users. */
export interface World {
  live: LiveApi;
  /** The first user. */
  operator: Person;
  member: Person;
  /** Another member, whose rows must stay invisible to the others. */
  stranger: Person;
  stop(): Promise<void>;
}

/** The parts of a request; method and path are those of the endpoint. */
export interface Question {
  path: string;
  query?: Body | undefined;
  body?: Body | undefined;
  person: Person;
}

/** The response. */
export interface Answer {
  /** Path and query of the request. */
  url: string;
  status: number;
  body: unknown;
  text: string;
  headers: Headers;
}

/** Starts an api with an operator and two members. */
export async function startWorld(options: LiveApiOptions): Promise<World> {
  const live = await startLiveApi(options);
  const [member, stranger] = [await live.addUser('Member'), await live.addUser('Stranger')];
  const operator = { userId: member.userId - 1, token: live.token };
  return { live, operator, member, stranger, stop: () => live.stop() };
}

/** The user who may use the endpoint with their own rows. */
export function userOf(world: World, { facts }: ContractRoute): Person {
  return facts.role === 'operator' ? world.operator : world.member;
}

/** Sends a request. @returns the response */
export async function ask(
  live: LiveApi,
  { method, facts }: ContractRoute,
  question: Question,
): Promise<Answer> {
  const { path, query, body, person } = question;
  const search =
    query === undefined ? '' : `?${new URLSearchParams(query as Record<string, string>).toString()}`;
  const url = path + search;
  const sent = facts.upload === undefined ? { body } : uploadedFile();
  return { url, ...(await live.ask(url, { method, token: person.token, ...sent })) };
}

/** The file for endpoints that accept uploads. */
function uploadedFile() {
  return {
    body: `phone_number,name\n${nextPhoneNumber()},Ada\nno number,Bo\n`,
    headers: { 'content-type': 'text/csv' },
  };
}

/** The path of the endpoint with the ids of new rows of `person`, and 1 for what is counted within a row. */
export async function pathWithRows(live: LiveApi, route: ContractRoute, person: Person): Promise<string> {
  const ids = new Map<string, number | string>();
  for (const { place, path, resource } of referencesOf(route)) {
    if (place !== 'path') continue;
    const { id, parentId } = await make(live, resource, person);
    ids.set(String(path[0]), id);
    if (parentId !== undefined) ids.set('id', parentId);
  }
  return fillPath(route.path, (parameter) => ids.get(parameter) ?? 1);
}

/** The violation of the contract by a response, or null. */
export function faultOf(route: ContractRoute, answer: Answer): string | null {
  const { status, text } = answer;
  const said = `${status} ${text.slice(0, 500)}`;
  if (status >= 500) return `failed: ${said}`;
  const right = answerSchema(route.route, status);
  if (!right) return `answered with a status that the contract does not have: ${said}`;
  const type = answer.headers.get('content-type') ?? 'no type';
  if (!type.startsWith(right.contentType)) return `answered with ${type}: ${said}`;
  const { error } = right.schema.safeParse(type.startsWith('application/json') ? answer.body : text);
  return error ? `answered outside the contract: ${said}\n${error.message}` : null;
}
