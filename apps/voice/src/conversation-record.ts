/** From the turns of a conversation to what the record keeps of them. */
import type { Turn } from '@parley/conversation';
import type { FinishCallInput } from '@parley/core';
