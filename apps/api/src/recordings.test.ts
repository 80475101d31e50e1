import { recordingUrl } from '../test/finished-call.ts';
