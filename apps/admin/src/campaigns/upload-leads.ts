/**
 * Sends a file to the server with its progress. Uses XMLHttpRequest, because `fetch` does not report how many bytes
 * were sent.
 */
import type { ImportRecord } from '@parley/contracts';
import { texts } from './texts.ts';

/** A file and how it is to be read. */
export interface LeadFile {
  campaignId: number;
  file: File;
  /** Column to field; null leaves a column out. */
  mapping: Readonly<Record<string, string | null>>;
  isDuplicateAllowed: boolean;
}

/** An upload that the server refused, with the server's message. */
class UploadRefusedError extends Error {}

/** Identical for the same file and campaign, so that an interrupted upload can be repeated. */
function keyOf({ campaignId, file }: LeadFile): string {
  return ['page', campaignId, file.size, file.lastModified, encodeURIComponent(file.name)]
    .join(':')
    .slice(0, 255);
}

function addressOf({ campaignId, file, mapping, isDuplicateAllowed }: LeadFile): string {
  const query = new URLSearchParams({ file_name: file.name.slice(0, 255) });
  if (Object.keys(mapping).length > 0) query.set('mapping', JSON.stringify(mapping));
  if (isDuplicateAllowed) query.set('allow_duplicate', 'true');
  return `/lead-files/${campaignId}?${query.toString()}`;
}

/**
 * @param onProgress - percent of the file that was sent
 * @throws UploadRefusedError with a message for the user
 */
export function uploadLeads(upload: LeadFile, onProgress: (percent: number) => void): Promise<ImportRecord> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf(upload));
    request.setRequestHeader('Content-Type', 'text/csv');
    request.setRequestHeader('Idempotency-Key', keyOf(upload));
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.floor((loaded / total) * 100)),
    );
    request.addEventListener('error', () => reject(new UploadRefusedError(texts.upload.interrupted)));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText) as ImportRecord);
      else reject(new UploadRefusedError(refusalText(request.responseText)));
    });
    request.send(upload.file);
  });
}

/** The first message of a field is more specific than the general message. */
function refusalText(answer: string): string {
  try {
    const { message, errors = {} } = JSON.parse(answer) as {
      message: string;
      errors?: Record<string, string[]>;
    };
    return Object.values(errors)[0]?.[0] ?? message;
  } catch {
    return texts.upload.unreachable;
  }
}
