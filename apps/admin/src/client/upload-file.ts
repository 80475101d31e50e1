/** Sends a file to the server as it is: tRPC would read it as a message of limited size. */
import { texts } from './texts.ts';

/** An upload that the server refused, with the server's message. */
class UploadRefusedError extends Error {}

/**
 * @returns the answer
 * @param path - on the server of this page, with its query
 * @throws UploadRefusedError with a message for the user
 */
export async function uploadFile(path: string, content: Blob): Promise<Response> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: content,
  }).catch((cause: unknown) => {
    throw new UploadRefusedError(texts.upload.interrupted, { cause });
  });
  if (!response.ok) throw new UploadRefusedError(await refusalText(response));
  return response;
}

/** The first message of a field is more specific than the general message. */
async function refusalText(response: Response): Promise<string> {
  try {
    const { message, errors = {} } = (await response.json()) as {
      message: string;
      errors?: Record<string, string[]>;
    };
    return Object.values(errors)[0]?.[0] ?? message;
  } catch {
    // The answer is from a proxy.
    return texts.failure.unreachable;
  }
}
