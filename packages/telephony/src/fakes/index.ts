/** Stand-ins for a line and its legs, for tests. The leg passes the conformance suites of `CallLeg` and `MediaPort`. */
export { FakeLeg } from './fake-leg.ts';
export { FakeLine, NO_NUMBERS } from './fake-line.ts';
export { FakeMedia } from './fake-media.ts';
