/** Stand-ins for an endpoint and its legs, for tests. The leg passes the conformance suites of `CallLeg` and `MediaPort`. */
export { FakeLeg } from './fake-leg.ts';
export { FakeEndpoint, NO_NUMBERS } from './fake-endpoint.ts';
export { FakeMedia } from './fake-media.ts';
