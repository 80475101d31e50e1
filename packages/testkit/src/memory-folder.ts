/**
 * Where the databases of tests are stored. Each test file clones a database of some 700 files; on a disk whose cores are busy
 * that takes 170 to 470 ms of processor time (ext4), in memory 30 ms.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const SHARED_MEMORY = '/dev/shm';
/** The type that statfs(2) reports for tmpfs. */
const TMPFS_MAGIC = 0x01_02_19_94;
/** Three times what a whole run needs: a gigabyte of write-ahead log and some databases of 12 MB. Containers often have 64 MB. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** @returns Linux's shared memory if there is enough of it, otherwise the folder for temporary files */
export function memoryFolder(): string {
  try {
    const { type, bavail, bsize } = statfsSync(SHARED_MEMORY);
    return type === TMPFS_MAGIC && bavail * bsize >= ENOUGH_BYTES ? SHARED_MEMORY : tmpdir();
  } catch {
    // The system has no such folder.
    return tmpdir();
  }
}
