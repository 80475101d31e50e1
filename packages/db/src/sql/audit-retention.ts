/** The transaction setting with which the retention job and a restore may remove entries of the audit log. */
export const AUDIT_RETENTION_SETTING = 'parley.audit_retention';
