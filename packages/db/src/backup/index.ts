/** Backup and restore of an installation; a separate entry, because serving processes do not need it. */
export { BackupError, type Manifest } from './manifest.ts';
export { restoreBackup, type RestoreOptions } from './restore-backup.ts';
export { takeBackup, type BackupOptions } from './take-backup.ts';
