/** The forms in which differences are printed. */
export const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

/** A form in which differences are printed. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The forms in which hits are printed. */
export const SEARCH_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;

/** A form in which hits are printed. */
export type SearchFormat = (typeof SEARCH_FORMATS)[number];
