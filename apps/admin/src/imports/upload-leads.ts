/**
 * Sends a file to the server with its progress. Uses XMLHttpRequest, because `fetch` does not report how many bytes
 * were sent.
 */
import type { ImportCheck, ImportRecord } from '@parley/contracts';
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

function addressOf({ campaignId, file, mapping, isDuplicateAllowed }: LeadFile, step: string): string {
  const query = new URLSearchParams({ file_name: file.name.slice(0, 255) });
  if (Object.keys(mapping).length > 0) query.set('mapping', JSON.stringify(mapping));
  if (isDuplicateAllowed) query.set('allow_duplicate', 'true');
  return `/lead-files/${campaignId}${step}?${query.toString()}`;
}

/**
 * @param onProgress - percent of the file that was sent
 * @throws UploadRefusedError with a message for the user
 */
export function uploadLeads(upload: LeadFile, onProgress: (percent: number) => void): Promise<ImportRecord> {
  const headers = { 'Idempotency-Key': keyOf(upload) };
  return send<ImportRecord>(upload, { address: addressOf(upload, ''), headers, onProgress });
}

/**
 * Asks what would become of each row. Nothing is stored.
 *
 * @throws UploadRefusedError with a message for the user
 */
export function checkLeads(upload: LeadFile, onProgress: (percent: number) => void): Promise<ImportCheck> {
  return send<ImportCheck>(upload, { address: addressOf(upload, '/check'), headers: {}, onProgress });
}

interface Sending {
  address: string;
  headers: Record<string, string>;
  onProgress: (percent: number) => void;
}

function send<Answer>(upload: LeadFile, { address, headers, onProgress }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('Content-Type', 'text/csv');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.floor((loaded / total) * 100)),
    );
    request.addEventListener('error', () => reject(new UploadRefusedError(texts.upload.interrupted)));
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText) as Answer);
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
