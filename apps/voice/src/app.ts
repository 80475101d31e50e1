/** Builds the voice process from its settings: database, engines, lines, lease, control. Starting is a separate step. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createCoreContext, diskStorage } from '@parley/core';
import { openDatabase } from '@parley/db';
import { systemClock, type HealthChecks, type Log, type Service } from '@parley/runtime';
import { createRtpMediaFactory, createSipLine } from '@parley/telephony';
import { createControl } from './control.ts';
import { createEngines } from './engines.ts';
import { takeInboundCall } from './inbound-call.ts';
import { VoiceLease } from './lease.ts';
import { LiveCalls } from './live-calls.ts';
import type { VoiceSettings } from './settings.ts';
import type { VoiceContext } from './voice-context.ts';
import { serveWebCalls } from './web-calls.ts';
