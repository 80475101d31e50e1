/** Sends a file or a text to the server as a document. */
import { uploadFile } from '../client/upload-file.ts';

/** What becomes a document. */
export interface DocumentUpload {
  knowledgebaseId: number;
  name: string;
  type: string;
  content: Blob;
}

/** @throws Error with a message for the user */
export async function uploadDocument({
  knowledgebaseId,
  name,
  type,
  content,
}: DocumentUpload): Promise<void> {
  const query = new URLSearchParams({ name, type });
  await uploadFile(`/document-files/${knowledgebaseId}?${query.toString()}`, content);
}
