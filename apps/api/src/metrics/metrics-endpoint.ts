/**
 * `/metrics` for Prometheus. Metrics show how busy an installation is, so access is restricted: to requests with
 * METRICS_TOKEN as bearer token if it is set, otherwise to requests from this machine. All others get 404.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { errorText } from '@parley/contracts';
import { Router, type Request } from 'express';
import type { ApiMetrics } from './api-metrics.ts';

/** Headers by which proxies name the client. `Via` is what a proxy must send (RFC 9110, section 7.6.3). */
const FORWARDING = ['x-forwarded-for', 'forwarded', 'via'] as const;

/** @param token - the required bearer token; absent: only this machine may read */
export function createMetricsEndpoint(metrics: ApiMetrics, token: string | undefined): Router {
  const router = Router();
  router.get('/metrics', (request, response, next) => {
    if (!mayRead(request, token)) {
      response.status(404).json({ message: errorText.notFound });
      return;
    }
    metrics.text().then((text) => response.type(metrics.contentType).send(text), next);
  });
  return router;
}

function mayRead(request: Request, token: string | undefined): boolean {
  if (token !== undefined) return isSame(request.headers.authorization ?? '', `Bearer ${token}`);
  // A proxy on this machine forwards requests of others, also where TRUST_PROXY does not name it.
  if (FORWARDING.some((name) => request.headers[name] !== undefined)) return false;
  return isLoopback(request.ip ?? '');
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return loopback.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
