import { describe, expect, it } from 'vitest';
import { planToolRequest, type HttpCallTool } from './tool-request.ts';

function plan(
  changes: Partial<HttpCallTool>,
  input: { variables?: Record<string, unknown>; arguments?: Record<string, unknown> } = {},
) {
  const tool: HttpCallTool = {
    type: 'http_request',
    name: 'look_up',
    description: '',
    url: 'https://hours.example/places/{{place}}/hours',
    method: 'POST',
    headers: [],
    parameters: {},
    timeoutSeconds: 5,
    ...changes,
  };
  return planToolRequest(tool, { variables: {}, arguments: {}, ...input });
}

describe('the address', () => {
  it.each([
    ['hall', 'https://hours.example/places/hall/hours'],
    ['Café 5', 'https://hours.example/places/Caf%C3%A9%205/hours'],
    ['a/../b?x=1#y', 'https://hours.example/places/a%2F..%2Fb%3Fx%3D1%23y/hours'],
    ['@thief.example', 'https://hours.example/places/%40thief.example/hours'],
  ])('takes %s as one part', (place, url) => {
    expect(plan({}, { variables: { place } })?.url).toBe(url);
  });

  it.each(['.', '..', '%2e%2e'.replaceAll('%2e', '.')])('is refused where %s would change it', (place) => {
    expect(plan({}, { variables: { place } })).toBeNull();
  });

  it.each(['.', '..'])('is refused where %s would be its last part', (place) => {
    const url = 'https://hours.example/places/{{place}}';
    expect(plan({ url }, { variables: { place } })).toBeNull();
    expect(plan({ url: `${url}%2e` }, { variables: { place: '.' } })).toBeNull();
    const whole = plan({ url: 'https://hours.example/./a/{{place}}?x=..' }, { variables: { place: 'b' } });
    expect(whole?.url).toBe('https://hours.example/a/b?x=..');
  });

  it('treats a value that looks like a placeholder as text', () => {
    const variables = { place: '{{secret}}', secret: 'hidden' };
    expect(plan({}, { variables })?.url).not.toContain('hidden');
  });
});

describe('the arguments', () => {
  const given = { day: 'Mon&tue', guests: 2, who: { name: 'Bo' } };

  it('are the body, as JSON', () => {
    expect(plan({}, { arguments: given })).toMatchObject({
      method: 'POST',
      body: JSON.stringify(given),
      headers: { 'content-type': 'application/json', 'user-agent': 'Parley' },
    });
  });

  it.each(['GET', 'DELETE'] as const)('are the query of %s', (method) => {
    const request = plan({ method, url: 'https://hours.example/?a=1' }, { arguments: given });
    expect(request?.url).toBe(
      'https://hours.example/?a=1&day=Mon%26tue&guests=2&who=%7B%22name%22%3A%22Bo%22%7D',
    );
    expect(request?.body).toBeNull();
  });
});

it('sends the owner’s headers, which win', () => {
  const headers = [
    { name: 'Authorization', value: 'Bearer {{place}}' },
    { name: 'Content-Type', value: 'application/problem+json' },
  ];
  expect(plan({ headers })?.headers).toMatchObject({
    authorization: 'Bearer {{place}}',
    'content-type': 'application/problem+json',
  });
});
