import { describe, expect, it } from 'vitest';
import { explainRefusal, findContextProblem } from './microphone-problem.rules.ts';

const lan = { hostname: '192.168.1.20', port: '3000' };

describe('what prevents the use of the microphone', () => {
  it('is nothing on https or localhost', () => {
    expect(findContextProblem({ isSecureContext: true, hasMediaDevices: true }, lan)).toBeNull();
  });

  it('is plain http on an address of the network, with the command that forwards the port', () => {
    const problem = findContextProblem({ isSecureContext: false, hasMediaDevices: false }, lan);
    expect(problem?.title).toContain('https');
    expect(problem?.text).toContain('192.168.1.20');
    expect(problem?.command).toBe('ssh -L 3000:localhost:3000 192.168.1.20');
  });

  it("names the scheme's own port where the address names none", () => {
    const problem = findContextProblem(
      { isSecureContext: false, hasMediaDevices: false },
      { hostname: 'box', port: '' },
    );
    expect(problem?.command).toBe('ssh -L 80:localhost:80 box');
  });

  it('is the browser where the page is secure', () => {
    expect(findContextProblem({ isSecureContext: true, hasMediaDevices: false }, lan)?.title).toContain(
      'browser',
    );
  });

  it.each([
    ['NotAllowedError', 'not allowed'],
    ['NotFoundError', 'No microphone'],
    ['NotReadableError', 'in use'],
    ['SomethingNewError', 'could not be opened'],
  ])('is explained for %s', (name, words) => {
    expect(explainRefusal(name).title).toContain(words);
  });
});
