import { describe, expect, it } from 'vitest';
import { canAskForMicrophone, explainFault, readableOn } from './widget-problem.rules.ts';

describe('why a call of the widget cannot start', () => {
  it.each([
    [{ name: 'NotAllowedError' }, 'denied'],
    [{ name: 'NotFoundError' }, 'no_microphone'],
    [{ name: 'NotReadableError' }, 'in_use'],
    [{ name: 'AbortError' }, 'unavailable'],
    [{ name: 'TypeError' }, 'unavailable'],
    [{ status: 429 }, 'busy'],
    [{ status: 503 }, 'busy'],
    [{ status: 404 }, 'unavailable'],
  ])('%j is explained by %s', (fault, text) => {
    expect(explainFault(fault)).toBe(text);
  });

  it('the microphone needs a secure page and a browser that offers it', () => {
    expect(canAskForMicrophone({ isSecureContext: true, hasMediaDevices: true })).toBe(true);
    expect(canAskForMicrophone({ isSecureContext: false, hasMediaDevices: false })).toBe(false);
    expect(canAskForMicrophone({ isSecureContext: true, hasMediaDevices: false })).toBe(false);
  });

  it.each([
    ['#000', '#fff'],
    ['#fff', '#000'],
    ['#ffff00', '#000'],
    ['#1864ab', '#fff'],
  ])('texts on %s are %s', (color, text) => {
    expect(readableOn(color)).toBe(text);
  });
});
