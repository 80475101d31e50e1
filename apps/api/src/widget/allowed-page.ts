/** Which pages may use a widget. */
import type { IncomingMessage } from 'node:http';
import type { WidgetSettings } from '@parley/contracts';
import type { CoreContext } from '@parley/core';
import { isFromOwnPage } from '../http/request-origin.ts';

/** Own pages, such as the demo page, are allowed where the widget is on. */
export function isAllowedPage(
  core: CoreContext,
  request: IncomingMessage,
  { allowedOrigins }: WidgetSettings,
): boolean {
  if (allowedOrigins.length === 0) return false;
  const { origin } = request.headers;
  return (origin !== undefined && allowedOrigins.includes(origin)) || isFromOwnPage(request, core.publicUrl);
}
