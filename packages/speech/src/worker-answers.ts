/** The thread's side of a `WorkerConnection` (`worker-connection.ts`). */
import type { MessagePort } from 'node:worker_threads';

/** What a thread answers when it cannot do what it was asked. */
export interface WorkerFault {
  fault: string;
}

/**
 * Answers each message with one message; an error becomes a fault.
 *
 * @param answer - takes what the owner of this thread sends
 */
export function answerMessages(port: MessagePort, answer: (request: never) => Promise<object>): void {
  port.on('message', (request: unknown) => {
    answer(request as never)
      .catch(faultOf)
      .then((reply) => port.postMessage(reply))
      .catch(endThread);
  });
}

function faultOf(error: unknown): WorkerFault {
  return { fault: error instanceof Error ? error.message : String(error) };
}

/** The owner notices that the thread has ended, and starts another one. */
function endThread(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
